import Betwixt
import Testing

/// Keys without the tie that their entry tells anyway.
@Suite("Sort key ties")
struct SortKeyTieTests {
  private func rebuilt(_ key: SortKey, _ tie: SortKeyTie) throws -> [UInt8] {
    var bytes: [UInt8] = [1]
    try SortKey.append(
      stem: key.bytes[..<tie.stemCount], author: tie.author, counter: tie.counter, to: &bytes)
    return Array(bytes.dropFirst())
  }

  @Test("Stripped keys become the same keys again")
  func roundTrip() throws {
    var forms: [SortKeyTie.Form: Int] = [:]
    for seed in 0..<4 as Range<UInt64> {
      var history = SortKeyHistory(seed: seed, replicaCount: 3)
      for _ in 0..<20 {
        let id = history.itemID()
        let key = try SortKey(importing: history.double(), of: id)
        let tie = try SortKey.validate(key.bytes[...])
        let dot = Dot(replica: history.replicas[0], sequence: 900)
        #expect(tie.form(dot: dot, item: id) == .item)
        #expect(try rebuilt(key, tie) == key.bytes)
        forms[.item, default: 0] += 1
      }
      try history.edit(turns: 60, size: 30)
      for key in history.made {
        let tie = try SortKey.validate(key.bytes[...])
        let dot = Dot(replica: tie.author, sequence: abs(tie.counter))
        let item = history.itemID()
        let form = tie.form(dot: dot, item: item)
        #expect(form == (tie.counter < 0 ? .negativeDot : .dot))
        let (author, counter) = try #require(form.tie(dot: dot, item: item))
        #expect((author, counter) == (tie.author, tie.counter))
        #expect(tie.stemCount < key.bytes.count)
        #expect(try rebuilt(key, tie) == key.bytes)
        forms[form, default: 0] += 1
      }
    }
    #expect(forms.count == 3)
  }

  @Test("The key of another write or item has to be written out")
  func strangers() throws {
    let replica = ReplicaID(rawValue: 5)
    let key = try SortKey.between(nil, nil, replica: replica, counter: 3)
    let tie = try SortKey.validate(key.bytes[...])
    let item = ItemID(high: 1, low: 2)
    #expect(tie.form(dot: Dot(replica: replica, sequence: 4), item: item) == .written)
    let other = Dot(replica: ReplicaID(rawValue: 6), sequence: 3)
    #expect(tie.form(dot: other, item: item) == .written)
    #expect(SortKeyTie.Form.written.tie(dot: other, item: item) == nil)
    #expect(tie.form(dot: Dot(replica: replica, sequence: 3), item: item) == .dot)
    #expect(
      tie.form(dot: Dot(replica: replica, sequence: 9), item: ItemID(high: 5, low: 3)) == .item)
  }

  @Test("What cannot be a stem is refused and appends nothing")
  func badStems() throws {
    let me = ReplicaID(rawValue: 5)
    let first = try SortKey.between(nil, nil, replica: me, counter: 1)
    let second = try SortKey.between(first, nil, replica: me, counter: 2)
    let inner = try SortKey.between(first, second, replica: me, counter: 3)
    let tie = try SortKey.validate(inner.bytes[...])
    let stem = inner.bytes[..<tie.stemCount]
    var output: [UInt8] = [8]

    // The last step of the key stands after a node of mine, where nobody else has a place.
    #expect(throws: MalformedSortKey(reason: .badAuthor, offset: stem.count)) {
      try SortKey.append(stem: stem, author: ReplicaID(rawValue: 6), counter: 3, to: &output)
    }
    #expect(throws: MalformedSortKey(reason: .truncated, offset: 0)) {
      try SortKey.append(stem: [], author: me, counter: 3, to: &output)
    }
    #expect(throws: MalformedSortKey(reason: .truncated, offset: stem.count - 1)) {
      try SortKey.append(stem: stem.dropLast(), author: me, counter: 3, to: &output)
    }
    #expect(throws: MalformedSortKey(reason: .trailing, offset: first.bytes.count - 1)) {
      try SortKey.append(stem: first.bytes[...], author: me, counter: 3, to: &output)
    }
    let long = [UInt8](repeating: 129, count: 1020) + [2]
    #expect(throws: MalformedSortKey(reason: .tooLong, offset: 1024)) {
      try SortKey.append(stem: long[...], author: me, counter: 3, to: &output)
    }
    #expect(output == [8])
  }
}
