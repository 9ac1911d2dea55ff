import BetwixtFiles
import BetwixtSync

/// Reads whole files.
package enum InputFile {
  /// All bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The file; a pipe or a device will do.
  ///   - limit: The most bytes that are accepted, given the bytes so far.
  /// - Returns: The bytes.
  /// - Throws: ``FileFailure``, also if there are more bytes than the limit.
  /// - Complexity: O(*n*) in the number of bytes.
  package static func read(
    _ path: String, limit: ([UInt8]) -> Int
  ) throws(FileFailure) -> [UInt8] {
    let descriptor: Descriptor
    do {
      descriptor = Descriptor(number: try SystemCall.openFile(path, for: .reading))
    } catch {
      throw FileFailure(.unreadable, at: path, error: error)
    }
    // Nothing was written, so a failing close loses nothing.
    defer { try? SystemCall.closeFile(descriptor.number) }
    let start: [UInt8]?
    do {
      start = try SystemCall.isPipe(descriptor.number) ? descriptor.readStart() : []
      try SystemCall.wait(for: descriptor.number)
    } catch {
      throw FileFailure(.brokenRead, at: path, error: error)
    }
    guard let start else {
      throw FileFailure(.unreadable, at: path, because: "it is a pipe that nobody writes into")
    }
    return try StartedSource(start: start, rest: descriptor)
      .readAll(calling: path, limit: limit)
  }

  /// The first bytes of a file, as many as tell what it is.
  static func start(of path: String) throws(SystemError) -> [UInt8] {
    let number = try SystemCall.openFile(path, for: .reading)
    defer { try? SystemCall.closeFile(number) }
    var buffer = [UInt8](repeating: 0, count: DocumentExamination.startByteCount)
    let count = try SystemCall.readSome(number, into: &buffer)
    return Array(buffer.prefix(count))
  }
}
