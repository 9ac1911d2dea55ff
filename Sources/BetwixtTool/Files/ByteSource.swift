/// Something that bytes are read from once, to the end.
package protocol ByteSource {
  /// Reads some bytes; none at the end.
  func readSome() throws(SystemError) -> [UInt8]
}

extension ByteSource {
  /// Reads to the end.
  ///
  /// - Parameters:
  ///   - path: What errors call the source.
  ///   - limit: The most bytes that are accepted, given the bytes so far.
  /// - Returns: All bytes.
  /// - Throws: ``FileFailure``, also if there are more bytes than the limit.
  /// - Complexity: O(*n*) in the number of bytes; memory grows with what was read.
  package func readAll(calling path: String, limit: ([UInt8]) -> Int) throws(FileFailure) -> [UInt8]
  {
    var bytes: [UInt8] = []
    while true {
      let part: [UInt8]
      do {
        part = try readSome()
      } catch {
        // A directory opens like a file and fails at the first byte.
        let kind: FileFailure.Kind =
          error.number == SystemCall.isDirectory ? .unreadable : .brokenRead
        throw FileFailure(kind, at: path, error: error)
      }
      if part.isEmpty { return bytes }
      bytes.append(contentsOf: part)
      let limit = limit(bytes)
      guard bytes.count <= limit else {
        throw FileFailure(
          .tooLarge(limit: limit), at: path, because: "more than \(limit >> 20) MiB")
      }
    }
  }
}
