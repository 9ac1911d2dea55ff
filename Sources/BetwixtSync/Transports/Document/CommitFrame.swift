import Betwixt

/// One commit of a document file: a marker and a frame that is whole or does not count.
///
/// ```
/// marker 8 · length 4 · type 1 · flags 1 · channel 2 · ordinal 4 · header CRC 4 · payload · CRC 4
/// ```
///
/// Both checksums start from the log and the ordinal, so that a commit proves its own place even
/// where those before it are damaged.
struct CommitFrame: Hashable, Sendable {
  /// What all but the payload takes.
  static let overhead = markerSize + Frame.overhead
  private static let markerSize = 8
  static let payloadLimit = 1 << 30

  var ordinal: UInt32
  var payload: Range<Int>

  /// The place behind the frame.
  var end: Int { payload.upperBound + 4 }

  static func encode(_ payload: [UInt8], ordinal: UInt32, in header: DocumentHeader) -> [UInt8] {
    var chain = FrameChain(seed: header.seed(of: ordinal), number: ordinal)
    var bytes = header.marker
    chain.append(
      Frame(.delta, payload: payload, isLast: true), to: &bytes, maximumPayload: payloadLimit)
    return bytes
  }

  /// The frame that starts at a place, or `nil` if none does.
  ///
  /// `work` counts the bytes that were looked at.
  init?(_ bytes: [UInt8], at place: Int, in header: DocumentHeader, work: inout Int) {
    var offset = place + CommitFrame.markerSize
    do throws(DecodeFailure) {
      var reader = Reader(bytes, in: place..<bytes.count)
      try reader.expect(header.marker, .badMagic)
      _ = try reader.take(8)
      ordinal = try reader.uint32()
      var chain = FrameChain(seed: header.seed(of: ordinal), number: ordinal)
      let frame = try chain.read(
        bytes, at: &offset, maximumPayload: CommitFrame.payloadLimit)
      guard frame.type == .delta, frame.isLast, !frame.isCritical else { return nil }
      payload = (offset - 4 - frame.payload.count)..<(offset - 4)
      work += offset - place
    } catch {
      work += max(0, error.offset - place)
      return nil
    }
  }
}
