import Betwixt
import BetwixtFiles
import BetwixtSync

// What a document says that it holds, once it has read a folder.

extension World {
  /// A claim is never false: of every write that stands in any folder anywhere, or stood there until a
  /// writer was absorbed, a document that claims it holds it or a greater one of the same register.
  ///
  /// The files are read without the library's folder. A drive that went back as a whole may have numbers
  /// twice that nobody could tell apart, and a stranger claims what was never written; then nothing is
  /// asked.
  func checkFolderClaims(_ list: ReplicatedList) throws(Violation) {
    let desks = devices.compactMap(\.desk)
    guard !hasStrangers, !desks.contains(where: \.hasGoneBack) else { return }
    let (version, held) = (list.version, NaiveList(list))
    for desk in desks {
      for block in blocks(desk, document: list.id) + blocksTakenOut(desk, document: list.id) {
        for entry in block.delta.entries where version.covers(entry.dot) {
          let present = held[entry.item, entry.register]
          if let present, !NaiveList.wins(entry, over: present) { continue }
          throw Violation(
            "a document that has read a folder claims \(entry.brief), and holds neither that nor a "
              + "greater write")
        }
      }
    }
  }

  /// Lets a list claim what the files of a folder claim, whether those they stand on are here or not.
  func believeAll(_ list: inout ReplicatedList, at desk: Desk) {
    for block in blocks(desk, document: list.id) {
      var builder = Delta.Builder()
      for range in block.delta.ranges {
        builder.cover(range.replica, after: range.after, through: range.through)
      }
      list.merge(builder.build())
    }
  }
}
