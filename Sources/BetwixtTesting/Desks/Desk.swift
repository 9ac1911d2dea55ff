import Betwixt
import BetwixtFiles
import BetwixtSync

/// A machine with documents in a folder, a state folder of its own, a stick, and a shared folder.
///
/// Unlike the list of a ``Device``, which lives in memory, what is here lives in files: each command
/// opens a document, edits, commits and ends, and people copy, restore and damage the files between.
final class Desk {
  /// What somebody kept of a machine, to be put back one day.
  struct Image {
    let drive: SimulatedDrive
    let records: [Int: FileRecord]
    let notes: Set<String>
    let machine: UInt8
    let acts: ActShadow
  }

  /// A program that keeps a document open.
  final class Editor {
    let path: String
    var file: DocumentFile
    /// What it left behind when it last did something.
    var left: Sight?

    init(_ document: consuming OpenDocument) {
      path = document.path
      file = document.file
    }
  }

  /// All that a program can see of a document: the file, and what is kept beside all of them.
  struct Sight: Equatable {
    let inode: Int?
    let bytes: [UInt8]?
    let state: [String: [UInt8]]
  }

  static let home = "/home"
  static let folder = "/shared"
  static let stateRoot = "/state"
  private static let paths = (0..<2).map { "\(home)/\($0).trip" }
  private static let states = paths.map { "\(stateRoot)/\(DocumentState.name(of: $0))" }

  let number: Int
  let random: SeededBits
  var disk = SimulatedDisk()
  /// A name of the machine that copies of its files do not carry along.
  var machine: UInt8
  /// By the numbers of the files.
  var records: [Int: FileRecord] = [:]
  var editors: [Int: Editor] = [:]
  var image: Image?
  /// What a program that makes mistakes keeps of snapshots.
  let staleSnapshots = StaleSnapshots()
  /// Files of the user that only look like those of the library.
  var notes: Set<String> = []
  /// Files that were taken out of the shared folder here; a tool that copies it may do the same elsewhere.
  var takenOut: [String: [UInt8]] = [:]
  /// What was done here, and by whom it can be taken back.
  var acts = ActShadow()
  /// Whether the whole drive was put back from a backup.
  var hasGoneBack = false
  /// What the last action was about, for the trace.
  var lastSize = 0
  private var nameCount = 0

  init(_ number: Int) {
    self.number = number
    machine = UInt8(number + 1)
    random = SeededBits(seed: UInt64(number + 1) << 32)
    disk.putDirectory(Desk.home)
  }

  static func path(_ place: Int) -> String { paths[place % paths.count] }

  /// Where the identity of a document is kept: by the path, because copies that lie beside each other
  /// are edited apart.
  static func state(of path: String) -> String {
    paths.firstIndex(of: path).map { states[$0] }
      ?? "\(stateRoot)/\(DocumentState.name(of: path))"
  }

  /// A name that no file has.
  func freshPath(_ word: String) -> String {
    nameCount += 1
    return "\(Desk.home)/\(word)-\(nameCount)"
  }

  func sight(of path: String) -> Sight {
    var state: [String: [UInt8]] = [:]
    for (path, bytes) in disk.files(under: Desk.stateRoot) { state[path] = bytes }
    return Sight(inode: disk.inode(path), bytes: disk.bytes(path), state: state)
  }

  // MARK: Records

  func record(at path: String) -> FileRecord? { disk.inode(path).flatMap { records[$0] } }

  /// Notes what the file at a path holds from now on.
  func note(_ path: String, document: ListID, content: NaiveList) {
    guard let inode = disk.inode(path), let size = disk.bytes(path)?.count else { return }
    lastSize = size
    if var record = records[inode], record.document == document {
      // An edit that changes nothing writes nothing, and mends no damage.
      if record.size == size, record.content.items == content.items { return }
      record.grow(to: size, content: content)
      records[inode] = record
    } else {
      records[inode] = FileRecord(document: document, size: size, content: content)
    }
  }

  /// Puts a copy of a file at a path: over the bytes of what is there, or as a new file.
  func put(_ path: String, bytes: [UInt8], record: FileRecord?, keepsInode: Bool) {
    let replaced = keepsInode ? nil : disk.inode(path)
    if keepsInode { disk.overwrite(path, with: bytes) } else { disk.put(path, bytes: bytes) }
    if let replaced { forgetLeftover(replaced, of: path) }
    notes.remove(String(path.dropFirst(Desk.home.count + 1)))
    guard let inode = disk.inode(path) else { return }
    records[inode] = record
  }

  /// Forgets a file that somebody has replaced, if all that a power cut has left of it besides is the
  /// temporary name under which it was made: nobody keeps anything there.
  func forgetLeftover(_ inode: Int, of path: String) {
    let names = disk.inodes(in: Desk.home).filter { $0.value == inode }.keys
    if names.allSatisfy({ "\(Desk.home)/\($0)".hasPrefix(path + ".tmp-") }) { records[inode] = nil }
  }

  /// All files that hold a document, each once, rising by one of their names.
  func documents() -> [(path: String, record: FileRecord)] {
    var found: [(path: String, record: FileRecord)] = []
    var seen: Set<Int> = []
    for (name, inode) in disk.inodes(in: Desk.home).sorted(by: { $0.key < $1.key }) {
      guard let record = records[inode], seen.insert(inode).inserted else { continue }
      found.append(("\(Desk.home)/\(name)", record))
    }
    return found
  }
}

/// A document that a command works on, and who writes in it here.
struct OpenDocument: ~Copyable {
  let path: String
  var file: DocumentFile
  /// What the file held when it was opened.
  var content: NaiveList
}

/// A copy of a document on a stick.
struct ShelfCopy {
  let bytes: [UInt8]
  let record: FileRecord
}
