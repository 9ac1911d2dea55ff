import BetwixtFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A folder of this run's own, for workloads that write files.
struct TemporaryFolder {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let root: String

  /// Makes one where the system keeps what may go.
  init() throws {
    let place = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = Array((place + "/betwixt-benchmark-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&name) != nil else {
      throw Failure(description: "no folder in \(place): \(errno)")
    }
    root = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func path(of name: String) -> String { root + "/" + name }

  /// Removes it and all that is in it.
  func discard() { TemporaryFolder.discard(root) }

  private static func discard(_ path: String) {
    // A file, or a folder that is empty.
    if unsafe remove(path) == 0 { return }
    for name in (try? PosixFileSystem().list(path)) ?? [] { discard(path + "/" + name) }
    unsafe _ = remove(path)
  }
}
