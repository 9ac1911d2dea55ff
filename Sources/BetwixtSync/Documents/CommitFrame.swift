import Betwixt

/// One commit of a document file: the log it belongs to, and a frame that is whole or does not
/// count.
///
/// ```
/// log 8 · length 4 · type 1 · flags 1 · channel 2 · ordinal 4 · header CRC 4 · payload · CRC 4
/// ```
///
/// Both checksums start from the log and the ordinal, so that a commit proves its own place, even
/// where all else of the file is damaged, its header included.
package struct CommitFrame: Hashable, Sendable {
  /// What all but the payload takes.
  package static let overhead = LogID.size + Frame.overhead
  package static let payloadLimit = Int(Int32.max)

  /// What comes before the payload.
  package static let headSize = LogID.size + Frame.headerByteCount

  package var log: LogID
  package var ordinal: UInt32
  package var payload: Range<Int>

  /// Its last four bytes.
  package let checksum: UInt32

  /// The first of its bytes.
  package var start: Int { payload.lowerBound - CommitFrame.headSize }

  /// The place behind the frame.
  package var end: Int { payload.upperBound + 4 }

  package static func encode(_ payload: [UInt8], ordinal: UInt32, in log: LogID) -> [UInt8] {
    var chain = FrameChain(seed: log.seed(of: ordinal), number: ordinal)
    var bytes = log.bytes
    chain.append(
      Frame(.delta, payload: payload, isLast: true), to: &bytes, maximumPayload: payloadLimit)
    return bytes
  }

  /// The frame that starts at an offset, or `nil` if no whole one does.
  ///
  /// `work` counts the bytes that were looked at.
  package init?(_ bytes: [UInt8], at start: Int, work: inout Int) {
    guard let head = CommitHead(bytes, at: start) else {
      work += CommitFrame.headSize
      return nil
    }
    var offset = start + LogID.size
    var chain = FrameChain(seed: head.log.seed(of: head.ordinal), number: head.ordinal)
    do throws(DecodeFailure) {
      payload = try chain.check(
        bytes, at: &offset, maximumPayload: CommitFrame.payloadLimit
      ).payload
      checksum = UInt32(truncatingIfNeeded: UInt64(bigEndianBytes: bytes[(offset - 4)..<offset]))
      work += offset - start
    } catch {
      work += min(head.byteCount, bytes.count - start)
      return nil
    }
    log = head.log
    ordinal = head.ordinal
  }
}

/// What stands in front of a commit's payload, once its checksum was compared.
package struct CommitHead: Hashable, Sendable {
  package let log: LogID
  package let ordinal: UInt32

  /// What the whole commit takes.
  package let byteCount: Int

  /// Reads the head at an offset; `nil` if there is none.
  ///
  /// - Complexity: O(1)
  package init?(_ bytes: [UInt8], at offset: Int) {
    let end = min(bytes.count, offset + CommitFrame.headSize)
    guard offset >= 0, offset <= end else { return nil }
    do throws(DecodeFailure) {
      var reader = Reader(bytes, in: offset..<end)
      log = LogID(rawValue: try reader.uint64())
      var ahead = reader
      _ = try ahead.take(8)
      ordinal = try ahead.uint32()
      let frame = try FrameHeader(
        &reader, seed: log.seed(of: ordinal), number: ordinal,
        maximumPayload: CommitFrame.payloadLimit)
      guard frame.type == .delta, frame.flags == CommitHead.flags else { return nil }
      byteCount = CommitFrame.overhead + frame.length
    } catch {
      return nil
    }
  }

  package static let flags = Frame(.delta, isLast: true).flags
}
