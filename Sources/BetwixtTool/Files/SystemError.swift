/// Why a call of the operating system failed.
package struct SystemError: Error, Hashable, Sendable {
  /// The value of `errno`.
  package let number: Int32

  /// Makes an error of a value of `errno`.
  package init(number: Int32) { self.number = number }

  /// The reason in words.
  package var reason: String { SystemCall.reason(of: number) }
}
