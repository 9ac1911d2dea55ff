/// How a run ended, as the number that the shell sees.
package struct ExitCode: Hashable, Sendable {
  /// The number.
  package let rawValue: Int32

  private init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// All was done.
  package static let done = ExitCode(0)

  /// The command ran, and its answer is "no".
  package static let negative = ExitCode(1)

  /// The command line makes no sense.
  package static let usage = ExitCode(64)

  /// An input was read and is not what it should be; or it is damaged, and what was shown or written
  /// is only what could be read of it.
  package static let badData = ExitCode(65)

  /// An input could not be read.
  package static let noInput = ExitCode(66)

  /// The tool itself is at fault.
  package static let internalFault = ExitCode(70)

  /// An output could not be created.
  package static let cannotCreate = ExitCode(73)

  /// Reading or writing failed half-way.
  package static let inputOutput = ExitCode(74)

  /// The same may succeed later: a file is in use, or a connection was cut.
  package static let tryAgain = ExitCode(75)
}
