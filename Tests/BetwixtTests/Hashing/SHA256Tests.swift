import Testing

@testable import Betwixt

@Suite("SHA-256 of FIPS 180-4")
struct SHA256Tests {
  @Test(
    "published digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func published(message: String, digest: String) {
    #expect(Hex.encode(SHA256.hash(message.utf8)) == digest)
  }

  @Test("a million letters")
  func long() {
    let digest = SHA256.hash([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
    #expect(
      Hex.encode(digest) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("a message in pieces has the digest of the whole")
  func pieces() {
    var random = ChoiceSource(seed: 17)
    for _ in 0..<40 {
      var hasher = SHA256()
      var whole: [UInt8] = []
      for _ in 0..<random.next(below: 6) {
        let piece = (0..<random.next(below: 150)).map { _ in UInt8(random.next(below: 256)) }
        hasher.update(piece)
        whole += piece
      }
      #expect(hasher.finalize() == SHA256.hash(whole))
    }
  }

  @Test("four messages at once have the digests that they have alone")
  func lanes() {
    var random = ChoiceSource(seed: 256)
    for blockCount in 1...5 {
      for _ in 0..<20 {
        var bytes: [UInt8] = []
        var messages: [[UInt8]] = []
        var starts = SIMD4<Int>()
        for lane in 0..<4 {
          let shortest = max(0, blockCount * 64 - 72)
          let count = shortest + random.next(below: blockCount * 64 - 9 - shortest + 1)
          let message = (0..<count).map { _ in UInt8(random.next(below: 256)) }
          messages.append(message)
          bytes += (0..<random.next(below: 5)).map { _ in 0xff }
          starts[lane] = bytes.count
          bytes += message + [0x80]
          bytes += [UInt8](repeating: 0, count: blockCount * 64 - 9 - count)
          bytes.appendBigEndian(UInt64(count) * 8)
        }
        let lanes = SHA256Lanes.digests(of: bytes, at: starts, blockCount: blockCount)
        for lane in 0..<4 { #expect(lanes[lane].bytes == SHA256.hash(messages[lane])) }
      }
    }
  }

  @Test(
    "the sum of many messages is that of their digests", arguments: 0..<20, [false, true])
  func sums(seed: UInt64, usesLanes: Bool) {
    var random = ChoiceSource(seed: seed)
    var hasher = EntryHasher(usesLanes: usesLanes)
    var sum = EntrySum()
    for _ in 0..<random.next(below: 60) {
      let message = (0..<random.next(below: 400)).map { _ in
        UInt8(random.next(below: 256))
      }
      hasher.add { $0 += message }
      sum.add(digest: SHA256.hash(message))
    }
    #expect(hasher.finish() == sum)
  }

  // Made with another implementation: the digests of 0 to 199 rising bytes, hashed together.
  @Test("every length around the border of a block")
  func lengths() {
    var digests: [UInt8] = []
    for count in 0..<200 { digests += SHA256.hash((0..<count).map { UInt8($0) }) }
    #expect(
      Hex.encode(SHA256.hash(digests))
        == "ba7b0fcea7d10c06b855b43d2b4dce1e3e842fff6be0acefb0faf4f2dd05bb47")
  }
}
