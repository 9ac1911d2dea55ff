import Betwixt
import BetwixtFiles
import TestSupport

/// Somebody who sees a document only through the changes that it tells.
final class Reader {
  var document: Document
  private var rows: [ItemID]
  private var titles: [ItemID: FieldValue]

  init(_ document: consuming Document) {
    rows = document.list.map(\.id)
    titles = Reader.titles(of: document.list)
    self.document = document
  }

  private static func titles(of list: ReplicatedList) -> [ItemID: FieldValue] {
    Dictionary(
      uniqueKeysWithValues: list.compactMap { item in item["title"].map { (item.id, $0) } })
  }

  /// Takes in what an operation told.
  func told(_ changes: ListChanges) {
    let list = document.list
    changes.apply(to: &rows) { $0 }
    for gone in changes.removed { titles[gone.id] = nil }
    for new in changes.inserted { titles[new.id] = list[id: new.id]?["title"] }
    for update in changes.updated where update.registers.contains(.field("title")) {
      titles[update.id] = list[id: update.id]?["title"]
    }
  }

  /// Whether what was told leads to what is there.
  var isRight: Bool {
    rows == document.list.map(\.id) && titles == Reader.titles(of: document.list)
  }

  /// One edit of any kind.
  func edit(_ random: inout SplitMix64) throws {
    told(
      try document.edit("an edit") { (list, me) throws(EditFailure) in
        let count = list.count
        let choice = count < 3 ? 0 : random.next(below: 6)
        guard choice > 1 else {
          try list.insert(
            ["title": .int64(Int64(random.next(below: 1000)))], at: random.next(below: count + 1),
            inSection: 0, by: &me)
          return
        }
        let id = list[random.next(below: count)].id
        switch choice {
        case 2: try list.remove(id, by: &me)
        case 3: try list.move(id, toOffset: random.next(below: count), by: &me)
        case 4: try list.clear("title", of: id, by: &me)
        default:
          try list.set("title", of: id, to: .int64(Int64(random.next(below: 1000))), by: &me)
        }
      }.changes)
  }
}

/// One machine: a folder for documents and one for what is known of them.
struct Machine: ~Copyable {
  private let directory = ScratchDirectory()
  private let random: SharedRandom

  init(seed: UInt64) { random = SharedRandom(seed: seed) }

  func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  var settings: Document.Settings {
    Document.Settings(
      stateDirectory: path("state"), clock: { 1_780_000_000_000 },
      random: { [random] in random.next() })
  }

  func open(_ name: String) throws -> Reader {
    Reader(try Document.openOrCreate(at: path(name), settings: settings))
  }
}
