import Betwixt
import Testing

@Suite("Digests")
struct DigestTests {
  @Test("32 bytes are a digest, and no other number of them")
  func bytes() throws {
    let digest = ReplicatedList(id: World.listID).digest
    #expect(digest.bytes.count == 32)
    #expect(Digest(bytes: digest.bytes) == digest)
    #expect(Digest(bytes: digest.bytes.dropLast()) == nil)
    #expect(Digest(bytes: digest.bytes + [0]) == nil)
    #expect(digest.description.utf8.count == 64)
  }
}
