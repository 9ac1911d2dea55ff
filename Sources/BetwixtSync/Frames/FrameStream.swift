/// One direction of a stream as it arrives: bytes in any pieces, frames out.
///
///     var stream = FrameStream()
///     stream.append(received)
///     while let frame = try stream.next() { … }
///
/// It keeps what has not made a frame yet, never more than a frame and what was appended last, and at
/// most a third as much of what has.
public struct FrameStream: Sendable {
  /// The most bytes that a payload may have; lower once the peers have agreed.
  public var maximumPayload = Frame.maximumPayload

  private var chain = FrameChain()
  private var buffer: [UInt8] = []
  private var start = 0
  // How many bytes of the stream came before the buffer, so that a failure names the same place
  // however the bytes were cut.
  private var passed = 0
  private var hasPreamble = false

  /// Makes the start of a stream.
  public init() {}

  /// The first frame of a stream, or `nil` if it has not arrived whole.
  ///
  /// - Throws: Why the bytes are no frame.
  /// - Complexity: O(1), and O(the bytes of the frame) once all are there
  static func first(in bytes: [UInt8]) throws(DecodeFailure) -> Frame? {
    var stream = FrameStream()
    stream.buffer = bytes
    return try stream.next()
  }

  /// How many bytes have not made a frame yet.
  public var pendingByteCount: Int { buffer.count - start }

  /// Takes bytes that arrived.
  ///
  /// - Complexity: O(the bytes)
  public mutating func append(_ bytes: some Collection<UInt8>) {
    // As soon as it pays: a great backlog is not moved for each frame that leaves it.
    if start > buffer.count / 4 {
      buffer.removeFirst(start)
      passed &+= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next frame, or `nil` if it has not arrived whole.
  ///
  /// - Throws: Why the bytes are no frame, and where in the stream; asked again it throws again.
  /// - Complexity: O(the bytes of the frame)
  public mutating func next() throws(DecodeFailure) -> Frame? {
    guard try readPreamble() else { return nil }
    do throws(DecodeFailure) {
      return try chain.read(buffer, at: &start, maximumPayload: maximumPayload)
    } catch {
      if error.code == .truncated { return nil }
      throw DecodeFailure(error.reason, at: error.offset &+ passed)
    }
  }

  /// The next frame if it has arrived whole and is of a type; any other one stays.
  ///
  /// - Complexity: O(the bytes of the next frame)
  mutating func next(if type: FrameType) -> Frame? {
    let (chain, start) = (chain, start)
    if let frame = try? next(), frame.type == type { return frame }
    (self.chain, self.start) = (chain, start)
    return nil
  }

  private mutating func readPreamble() throws(DecodeFailure) -> Bool {
    guard !hasPreamble else { return true }
    let arrived = buffer[start...].prefix(Frame.preamble.count)
    guard Frame.preamble.starts(with: arrived) else { throw DecodeFailure(.badMagic, at: 0) }
    guard arrived.count == Frame.preamble.count else { return false }
    start += arrived.count
    hasPreamble = true
    return true
  }
}
