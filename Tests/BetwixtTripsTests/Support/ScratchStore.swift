import BetwixtFiles
import BetwixtSync
import Foundation
import Synchronization

/// A folder of one test's own on the real file system, removed with the value.
final class ScratchStore {
  private let root: String

  init() throws {
    root = NSTemporaryDirectory() + "betwixt-trips-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  /// How documents are opened: nobody cuts the power of a test.
  let documents: DocumentFile.Settings = {
    var settings = DocumentFile.Settings(random: ScratchStore.bits(seed: 1))
    settings.syncLevel = .none
    return settings
  }()

  let folders = SharedFolder.Settings(random: ScratchStore.bits(seed: 2))

  private static func bits(seed: UInt64) -> @Sendable () -> UInt64 {
    let generator = Generator(seed)
    return { generator.state.withLock { $0.next() } }
  }

  private final class Generator: Sendable {
    let state: Mutex<SplitMix64>

    init(_ seed: UInt64) { state = Mutex(SplitMix64(seed: seed)) }
  }
}
