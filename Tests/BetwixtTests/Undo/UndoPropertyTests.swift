import Betwixt
import Foundation
import Testing

/// Random histories of one to four people, compared with the oracle after each undo.
///
/// The long form takes as many as are asked for:
///
///     BETWIXT_UNDO=100000 swift test -c release -Xswiftc -enable-testing \
///       --filter UndoPropertyTests
@Suite struct UndoPropertyTests {
  @Test("nothing diverges, nothing is blank, and one's own steps come back exactly")
  func histories() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["BETWIXT_UNDO"].flatMap { UInt64($0) } ?? 300
    let first = environment["BETWIXT_UNDO_SEED"].flatMap { UInt64($0) } ?? 1
    var (turned, kept, cameBack, failures) = (0, 0, 0, 0)
    for seed in first..<first + count {
      let world = try UndoWorld(seed: seed)
      do {
        try world.run()
      } catch {
        failures += 1
        if failures < 10 { Issue.record("seed \(seed): \(error)") }
      }
      turned += world.turned
      kept += world.kept
      cameBack += world.cameBack > 0 ? 1 : 0
    }
    print(
      """
      undo: \(count) histories, \(turned) items turned, \(kept) kept, \(failures) violations, \
      \(cameBack) in which what was forgotten came back
      """)
    #expect(failures == 0 && turned > Int(count) && kept > Int(count) / 50)
    // The model of the rules meets it twice in 100,000.
    #expect(cameBack <= Int(count) / 2_000)
  }
}
