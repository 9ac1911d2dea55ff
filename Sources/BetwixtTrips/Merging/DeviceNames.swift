/// What inputs are called in a report for a reader: `phone` for `copies/phone.trip.json`.
///
/// The short name is the file's without folder and ending. Inputs that would share one keep the
/// names they were given.
struct DeviceNames {
  private var shortNames: [[UInt8]: String] = [:]

  /// - Complexity: O(*k*) for *k* names
  init(_ names: [String]) {
    var owners: [[UInt8]: Set<[UInt8]>] = [:]
    for name in names {
      owners[Array(DeviceNames.short(name).utf8), default: []].insert(Array(name.utf8))
    }
    for name in names {
      let short = DeviceNames.short(name)
      let isShared = (owners[Array(short.utf8)]?.count ?? 0) > 1
      shortNames[Array(name.utf8)] = (isShared ? name : short).onOneLine
    }
  }

  /// One input.
  subscript(name: String) -> String { shortNames[Array(name.utf8)] ?? name.onOneLine }

  /// Several inputs: `laptop, phone and tablet`.
  subscript(names: [String]) -> String {
    guard let last = names.last else { return "somebody" }
    let others = names.dropLast().map { self[$0] }
    return others.isEmpty ? self[last] : others.joined(separator: ", ") + " and " + self[last]
  }

  private static func short(_ name: String) -> String {
    if name == "-" { return "standard input" }
    let bytes = Array(name.utf8)
    let slash = UInt8(ascii: "/")
    var stem = bytes[(bytes.lastIndex(of: slash).map { $0 + 1 } ?? 0)...]
    for ending in [".trip.json", ".json", ".trip", ".ics"] where stem.count > ending.utf8.count {
      if stem.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
        stem.removeLast(ending.utf8.count)
        break
      }
    }
    return stem.isEmpty ? name : String(decoding: stem, as: UTF8.self)
  }
}
