import BetwixtSQL
import TestSupport
import Testing

/// What leaves a test out that needs a database.
@Suite struct TestDatabaseTests {
  @Test func aServerThatDoesNotStartIsNotLeftOut() throws {
    guard try TestDatabase.of(.postgres) != nil else { return }
    let scratch = ScratchDirectory()
    #expect(throws: PostgresServer.NotRunning.self) {
      try PostgresServer.here(scratch.path + "/postgres", ["-c", "betwixt_knows_no_such_word=1"])
    }
  }
}
