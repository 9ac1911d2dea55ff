import Betwixt
import Testing

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

  @Test("pieces give what the whole gives, around every block border")
  func pieces() {
    for count in 0...200 {
      let message = (0..<count).map { UInt8($0) }
      var hasher = SHA256()
      for start in stride(from: 0, to: count, by: 7) { hasher.update(message[start...].prefix(7)) }
      #expect(hasher.finalize() == SHA256.hash(message), "\(count)")
    }
  }
}
