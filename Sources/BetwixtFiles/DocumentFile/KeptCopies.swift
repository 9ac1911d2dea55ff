/// The files that are kept beside a document file when it is replaced: `NAME.damaged-1` and so on.
struct KeptCopies {
  /// Why a file was kept.
  enum Reason: String {
    /// It was damaged, and what could be read of it was written anew.
    case damaged

    /// Something else was to have its name.
    case replaced

    /// It holds writes that what took its place lacks, as after an older copy was put back.
    case branch
  }

  private let path: String
  private let reason: Reason
  private let fileSystem: any FileSystem

  init(of path: String, because reason: Reason, in fileSystem: any FileSystem) {
    self.path = path
    self.reason = reason
    self.fileSystem = fileSystem
  }

  private var prefix: String { "\(path).\(reason.rawValue)-" }

  /// Those that there are, rising by name, whatever they hold.
  var paths: [String] {
    let prefix = Path.name(of: prefix)
    let directory = Path.directory(of: path)
    let names = (try? fileSystem.list(directory)) ?? []
    return names.filter { name in
      name.utf8.starts(with: prefix.utf8) && Int(name.dropFirst(prefix.count)) != nil
    }
    .map { Path.joining(directory, $0) }
  }

  /// The name under which the very file is kept that is at the path now, or a copy of it where the drive
  /// has no second names; `nil` if there is none.
  func pathOfSameFile() throws(FileSystemError) -> String? {
    guard let file = try fileSystem.status(at: path) else { return nil }
    for other in paths {
      guard let there = try fileSystem.status(at: other) else { continue }
      if there.isSameFile(as: file) { return other }
      guard there.kind == .regular, there.size == file.size,
        try fileSystem.contents(of: other, limit: file.size)
          == fileSystem.contents(of: path, limit: file.size)
      else { continue }
      return other
    }
    return nil
  }

  /// The first name that nothing has, or what may be replaced.
  func freePath(
    orReplacing isReplaceable: (String) -> Bool = { _ in false }
  ) throws(FileSystemError) -> String {
    var number = 1
    while try fileSystem.status(at: "\(prefix)\(number)") != nil {
      if isReplaceable("\(prefix)\(number)") { break }
      number += 1
    }
    return "\(prefix)\(number)"
  }
}
