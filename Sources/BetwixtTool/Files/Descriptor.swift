/// An open file of the operating system.
///
/// Whoever opens it closes it.
package struct Descriptor: ByteSource, ByteSink, Sendable {
  private static let readSize = 65_536

  let number: Int32

  /// The process's standard input.
  package static let standardInput = Descriptor(number: SystemCall.standardInput)

  /// The process's standard output.
  package static let standardOutput = Descriptor(number: SystemCall.standardOutput)

  /// The process's standard error.
  package static let standardError = Descriptor(number: SystemCall.standardError)

  package var isTerminal: Bool { SystemCall.isTerminal(number) }

  package func readSome() throws(SystemError) -> [UInt8] {
    while true {
      do throws(SystemError) {
        return try readPresent()
      } catch {
        // Whoever started this program may have made its streams such that nothing waits.
        guard error.number == SystemCall.nothingYet else { throw error }
        try SystemCall.waitToRead(number)
      }
    }
  }

  /// Reads what is there; where nothing is, and the file does not wait, that is an error.
  func readPresent() throws(SystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: Descriptor.readSize)
    let count = try SystemCall.readSome(number, into: &buffer)
    return Array(buffer.prefix(count))
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count: Int
      do throws(SystemError) {
        count = try SystemCall.writeSome(number, bytes: rest)
      } catch {
        guard error.number == SystemCall.nothingYet else { throw error }
        try SystemCall.waitToWrite(number)
        continue
      }
      guard count > 0 else { throw SystemError(number: SystemCall.inputOutputError) }
      rest.removeFirst(count)
    }
  }
}
