import BetwixtFiles
import BetwixtSync
internal import Synchronization

/// The open files that were made when they were opened.
final class CreatedFiles: Sendable {
  private let files = Mutex<Set<OpenFile>>([])

  func insert(_ file: OpenFile) { _ = files.withLock { $0.insert(file) } }

  func remove(_ file: OpenFile) { _ = files.withLock { $0.remove(file) } }

  func contains(_ file: OpenFile) -> Bool { files.withLock { $0.contains(file) } }
}
