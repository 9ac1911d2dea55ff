import Betwixt
import BetwixtFiles
import BetwixtSync

// What people and their tools do with whole files.

extension World {
  /// Copies, moves and names of documents; false if there is nothing to do it with.
  mutating func files(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    switch action.kind {
    case .copy: return copy(action, at: desk)
    case .rename: return rename(action, at: desk)
    case .link: return link(action, at: desk)
    case .shelve: return shelve(action, at: desk)
    case .putBack: return putBack(action, at: desk)
    case .carry: return carry(action, at: desk)
    case .renew: return try renew(action, at: desk)
    case .litter: return litter(action, at: desk)
    case .chmod: return chmod(action, at: desk)
    default: return false
    }
  }

  /// `cp`: over what is there, or as a new file.
  private func copy(_ action: Action, at desk: Desk) -> Bool {
    let (source, target) = (Desk.path(action.a), Desk.path(action.a + 1))
    guard let from = desk.disk.resolved(source), let to = desk.disk.resolved(target), from != to,
      let bytes = desk.disk.bytes(from)
    else { return false }
    desk.put(to, bytes: bytes, record: desk.record(at: from), keepsInode: action.b == 1)
    return true
  }

  /// `mv` from one name to the other, or both exchange their names.
  private func rename(_ action: Action, at desk: Desk) -> Bool {
    let (source, target) = (Desk.path(action.a), Desk.path(action.a + 1))
    guard desk.disk.inode(source) != nil else { return false }
    let aside = desk.freshPath("swap")
    let swaps = action.b == 1 && desk.disk.inode(target) != nil
    if swaps {
      desk.disk.name(target, also: aside)
    }
    let replaced = swaps ? nil : desk.disk.inode(target)
    desk.disk.name(source, also: target)
    desk.disk.remove(source)
    if let replaced { desk.forgetLeftover(replaced, of: target) }
    if swaps {
      desk.disk.name(aside, also: source)
      desk.disk.remove(aside)
    }
    return true
  }

  /// `ln`, with `-s` or without.
  private func link(_ action: Action, at desk: Desk) -> Bool {
    let (source, target) = (Desk.path(action.a), Desk.path(action.a + 1))
    guard let from = desk.disk.resolved(source), desk.disk.bytes(from) != nil, from != target
    else { return false }
    if action.b == 1 {
      desk.disk.putLink(target, to: from)
    } else {
      desk.disk.name(from, also: target)
    }
    return true
  }

  /// Puts a copy on the stick.
  private mutating func shelve(_ action: Action, at desk: Desk) -> Bool {
    let files = action.b == 0 ? [] : desk.documents()
    let path =
      files.isEmpty
      ? desk.disk.resolved(Desk.path(action.a)) ?? "" : files[action.b % files.count].path
    guard let bytes = desk.disk.bytes(path), let record = desk.record(at: path), shelf.count < 6
    else { return false }
    shelf.append(ShelfCopy(bytes: bytes, record: record))
    return true
  }

  /// Puts a copy from the stick over a document, as a new file or over the bytes that are there.
  private func putBack(_ action: Action, at desk: Desk) -> Bool {
    guard !shelf.isEmpty, let path = desk.disk.resolved(Desk.path(action.a)) else { return false }
    let copy = shelf[action.b % shelf.count]
    desk.put(path, bytes: copy.bytes, record: copy.record, keepsInode: action.c == 1)
    return true
  }

  /// A tool keeps a file equal on two desks, and where both have changed the other one beside it.
  private mutating func carry(_ action: Action, at desk: Desk) -> Bool {
    let other = self.desk(of: devices[action.a % devices.count])
    let path = Desk.path(action.b)
    // It follows symbolic links, as programs do.
    guard other !== desk, canReach(devices[desk.number], devices[other.number]),
      let here = desk.disk.resolved(path), let there = other.disk.resolved(path)
    else { return false }
    let pair = CarriedPair(desk.number, other.number, at: path)
    let (mine, theirs) = (desk.disk.bytes(here), other.disk.bytes(there))
    guard mine != theirs else { return false }
    let last = carried[pair]
    if let mine, theirs == nil || theirs == last {
      other.put(there, bytes: mine, record: desk.record(at: here), keepsInode: action.c == 1)
    } else if let theirs, mine == nil || mine == last {
      desk.put(here, bytes: theirs, record: other.record(at: there), keepsInode: action.c == 1)
    } else if let mine, let theirs {
      let copy = other.freshPath("conflicted copy")
      other.put(copy, bytes: theirs, record: other.record(at: there), keepsInode: false)
      other.put(there, bytes: mine, record: desk.record(at: here), keepsInode: action.c == 1)
    }
    carried[pair] = desk.disk.bytes(here)
    return true
  }

  /// `rm` and `new`: another document under the name of this one.
  private mutating func renew(_ action: Action, at desk: Desk) throws(Violation) -> Bool {
    guard let path = desk.disk.resolved(Desk.path(action.a)), let record = desk.record(at: path)
    else { return false }
    desk.disk.remove(path)
    desk.editors[action.a] = nil
    let next = record.document == World.listID ? World.otherListID : World.listID
    _ = try open(desk, at: path, making: next)
    return true
  }

  /// `chmod 600`, or `chmod 644` where that was done.
  private func chmod(_ action: Action, at desk: Desk) -> Bool {
    guard let path = desk.disk.resolved(Desk.path(action.a)), let inode = desk.disk.inode(path)
    else { return false }
    desk.disk.chmod(inode)
    return true
  }

  /// A file of the user, under a name like those that the library gives to its own.
  private func litter(_ action: Action, at desk: Desk) -> Bool {
    let names = [".tmp-notes", ".previous", ".tmp-0123456789abcdef", ".damaged-1"]
    let path = Desk.path(action.a) + names[action.b % names.count]
    guard desk.disk.inode(path) == nil else { return false }
    desk.disk.put(path, bytes: Array("bring the tent".utf8))
    desk.notes.insert(String(path.dropFirst(Desk.home.count + 1)))
    return true
  }
}

/// A file that a tool keeps equal on two desks.
struct CarriedPair: Hashable {
  let least: Int
  let greatest: Int
  let path: String

  init(_ one: Int, _ other: Int, at path: String) {
    least = min(one, other)
    greatest = max(one, other)
    self.path = path
  }
}
