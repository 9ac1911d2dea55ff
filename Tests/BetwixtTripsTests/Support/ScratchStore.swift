import BetwixtFiles
import TestSupport

/// A folder of one test's own on the real file system, removed with the value.
final class ScratchStore {
  private let root = ScratchDirectory()

  func path(_ name: String) -> String { "\(root.path)/\(name)" }

  /// How documents are opened: nobody cuts the power of a test.
  let documents: DocumentFile.Settings = {
    var settings = DocumentFile.Settings(random: SharedRandom(seed: 1).next)
    settings.syncLevel = .none
    return settings
  }()

  let folders = SharedFolder.Settings(random: SharedRandom(seed: 2).next)
}
