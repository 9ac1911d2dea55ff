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
