import BetwixtTool

/// Standard input of a test: bytes that come in parts of a given size.
final class MemorySource: ByteSource {
  private var rest: ArraySlice<UInt8>
  private let partSize: Int

  init(_ text: String, partSize: Int = 1_000) {
    rest = Array(text.utf8)[...]
    self.partSize = partSize
  }

  func readSome() throws(SystemError) -> [UInt8] {
    defer { rest = rest.dropFirst(partSize) }
    return Array(rest.prefix(partSize))
  }
}

/// Standard output or error of a test: keeps all that is written, or refuses it.
final class MemorySink: ByteSink {
  let isTerminal: Bool
  private let refusal: SystemError?
  private(set) var bytes: [UInt8] = []

  init(isTerminal: Bool = false, refusal: SystemError? = nil) {
    self.isTerminal = isTerminal
    self.refusal = refusal
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    if let refusal { throw refusal }
    self.bytes += bytes
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
