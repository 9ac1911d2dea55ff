import Betwixt
import Testing

@testable import BetwixtTesting

/// What a simulation remembers of acts, to judge what is told of steps.
@Suite struct ActShadowTests {
  private static func entry(_ number: Int64) -> Entry {
    Entry(
      item: ItemID(high: 1, low: 1), register: .field("title"), value: .field(.int64(number)),
      stamp: Stamp(
        time: Timestamp(milliseconds: 1_777_000_000_000 + number), replica: ReplicaID(rawValue: 1)),
      sequence: number)
  }

  /// What was written at one path is no reason to tell of it at another one.
  @Test func aWriteWithoutAStepIsToldOnceWhereItWasMade() {
    var acts = ActShadow()
    acts.note(nil, at: "/a", writes: [Self.entry(1)])
    acts.note("2", at: "/b", writes: [Self.entry(2)])
    acts.note(nil, at: "/b", writes: [])
    let told = ["/b", "/a", "/a"].map { acts.tell(at: $0) }
    #expect(told == [false, true, false])
  }

  /// What is forgotten is no reason any more.
  @Test func whatIsForgottenIsNotToldOf() {
    var acts = ActShadow()
    for path in ["/a", "/b"] { acts.note(nil, at: path, writes: [Self.entry(1)]) }
    acts.forgetActs(at: "/a")
    let told = ["/a", "/b", "/b"].map { acts.tell(at: $0) }
    #expect(told == [false, true, false])
  }

  /// Something may have brought it anywhere.
  @Test func whatWasWrittenBeforeADoubtMayBeToldAnywhere() {
    var acts = ActShadow()
    acts.note(nil, at: "/a", writes: [Self.entry(1)])
    acts.doubt()
    let told = (0..<3).map { _ in acts.tell(at: "/b") }
    #expect(told == [true, true, false])
  }
}
