import BetwixtSync
import Testing

@Suite struct FrameTests {
  static let frames = [
    Frame(.hello, payload: [1, 2, 3], isCritical: true), Frame(.end),
    Frame(.delta, payload: [UInt8](repeating: 7, count: 300), isLast: true),
    Frame(FrameType(rawValue: 0x20), payload: Array("presence".utf8)),
  ]

  static var stream: [UInt8] {
    var bytes = Frame.preamble
    var chain = FrameChain()
    for frame in frames { chain.append(frame, to: &bytes) }
    return bytes
  }

  /// The frames that a stream yields before it fails or ends.
  static func read(_ bytes: [UInt8], split: Int) -> (frames: [Frame], failed: Bool) {
    var stream = FrameStream()
    var frames: [Frame] = []
    var start = 0
    while start < bytes.count {
      let end = min(start + split, bytes.count)
      stream.append(bytes[start..<end])
      start = end
      do {
        while let frame = try stream.next() { frames.append(frame) }
      } catch {
        return (frames, true)
      }
    }
    return (frames, false)
  }

  /// What a stream fails with when its bytes come in pieces.
  private func failure(_ bytes: [UInt8], split: Int) -> DecodeFailure? {
    var stream = FrameStream()
    for start in stride(from: 0, to: bytes.count, by: split) {
      stream.append(bytes[start..<min(start + split, bytes.count)])
      do throws(DecodeFailure) {
        while try stream.next() != nil {}
      } catch {
        return error
      }
    }
    return nil
  }

  @Test(arguments: [1, 2, 7, 16]) func aFailureNamesOnePlaceHoweverBytesAreCut(split: Int) throws {
    var bytes = Self.stream
    bytes[bytes.count - 40] ^= 1
    let whole = try #require(failure(bytes, split: .max / 2))
    #expect(failure(bytes, split: split) == whole)
    #expect(whole.offset > 300)
  }

  @Test(arguments: [1, 2, 7, 16, 1000]) func anySplitYieldsTheSameFrames(split: Int) {
    let (frames, failed) = Self.read(Self.stream, split: split)
    #expect(frames == Self.frames)
    #expect(!failed)
  }

  @Test func everyCutYieldsAPrefix() {
    let stream = Self.stream
    for end in 0..<stream.count {
      let (frames, failed) = Self.read(Array(stream[..<end]), split: 13)
      #expect(!failed)
      #expect(frames.count < Self.frames.count)
      #expect(Self.frames.starts(with: frames))
    }
  }

  @Test func everyFlippedBitIsNoticed() {
    let stream = Self.stream
    var noticed = 0
    for bit in 0..<stream.count * 8 {
      var damaged = stream
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let (frames, failed) = Self.read(damaged, split: 1000)
      #expect(failed)
      #expect(frames.count < Self.frames.count && Self.frames.starts(with: frames))
      noticed += 1
    }
    print("frames: \(noticed) flipped bits, all noticed")
  }

  @Test func lossRepetitionAndReorderingAreNoticed() {
    var pieces: [[UInt8]] = []
    var chain = FrameChain()
    for frame in Self.frames {
      var piece: [UInt8] = []
      chain.append(frame, to: &piece)
      pieces.append(piece)
    }
    for first in pieces.indices {
      var lost = pieces
      lost.remove(at: first)
      #expect(Self.read(Frame.preamble + lost.joined(), split: 64).frames.count == first)
      var twice = pieces
      twice.insert(pieces[first], at: first)
      #expect(Self.read(Frame.preamble + twice.joined(), split: 64).failed)
      for second in pieces.indices.dropFirst(first + 1) {
        var swapped = pieces
        swapped.swapAt(first, second)
        #expect(Self.read(Frame.preamble + swapped.joined(), split: 64).failed)
      }
    }
  }

  @Test func lengthsAreCheckedBeforeTheyAreBelieved() {
    var bytes: [UInt8] = []
    var chain = FrameChain()
    chain.append(Frame(.delta, payload: [UInt8](repeating: 0, count: 100)), to: &bytes)
    for (limit, passes) in [(99, false), (100, true), (101, true)] {
      var offset = 0
      var reader = FrameChain()
      let frame = try? reader.read(bytes, at: &offset, maximumPayload: limit)
      #expect((frame != nil) == passes)
      #expect((offset == bytes.count) == passes)
    }
  }

  @Test func textInPlaceOfThePreambleIsRefused() {
    var stream = FrameStream()
    stream.append(Array("Welcome to host\r\n".utf8))
    #expect(throws: DecodeFailure(.badMagic, at: 0)) { try stream.next() }
  }
}
