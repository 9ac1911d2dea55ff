extension Descriptor {
  /// What is in a pipe that was opened without waiting: nothing if its writer has not come to that yet,
  /// and `nil` if there is no writer, who might never come.
  func readStart() throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      let bytes = try readPresent()
      return bytes.isEmpty ? nil : bytes
    } catch {
      guard error.number == SystemCall.nothingYet else { throw error }
      return []
    }
  }
}

/// A source of which the start was read already.
final class StartedSource: ByteSource {
  private var start: [UInt8]
  private let rest: Descriptor

  init(start: [UInt8], rest: Descriptor) {
    self.start = start
    self.rest = rest
  }

  func readSome() throws(SystemError) -> [UInt8] {
    guard start.isEmpty else {
      defer { start = [] }
      return start
    }
    return try rest.readSome()
  }
}
