import Betwixt

/// A path where paths are told apart: by its bytes, as file systems do.
///
/// As texts `é` in its two spellings are equal, and two files of such names would be one.
struct PathKey: Hashable, Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  static func == (left: PathKey, right: PathKey) -> Bool { left.path.hasSameBytes(as: right.path) }

  func hash(into hasher: inout Hasher) {
    for byte in path.utf8 { hasher.combine(byte) }
  }
}
