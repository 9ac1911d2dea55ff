import Betwixt
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles

/// Programs of one installation that open, edit and sync one document at once all write under one id:
/// none takes another's work for that of a stranger.
@Suite struct OneWriterTests {
  /// A document that is open holds less of the own writes than the folder, into which another program
  /// of the installation has put newer ones.
  @Test func theFolderMayBeAheadOfAnOpenDocument() throws {
    let here = Machine(seed: 3)
    let folder = here.path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let first = try here.open("rome.trip")
    try first.document.edit { list, me in try list.append(by: &me) }
    try first.document.sync(folder: folder)
    let second = try here.open("rome.trip")
    for _ in 0..<3 {
      try second.document.edit { list, me in try list.append(by: &me) }
      try second.document.sync(folder: folder)
    }
    try first.document.sync(folder: folder)
    #expect(first.document.takeNotices().isEmpty && second.document.takeNotices().isEmpty)
    #expect(first.document.writer == second.document.writer)
    #expect(first.document.list.count == 4 && Array(first.document.list.version).count == 1)
  }

  /// Another program writes whenever the lock is free, also while a document is being opened.
  @Test func openingTakesNobodyForAStranger() throws {
    let here = Machine(seed: 7)
    let (path, settings) = (here.path("rome.trip"), here.settings)
    try Document.create(at: path, settings: settings) { list, me throws(EditFailure) in
      try list.append(by: &me)
    }.close()
    let crowded = CrowdedFileSystem {
      #expect(throws: Never.self) {
        var other = try Document.open(at: path, settings: settings)
        try other.edit { list, me in try list.append(by: &me) }
        #expect(other.takeNotices().isEmpty)
      }
    }
    var ours = settings
    ours.file.fileSystem = crowded
    var document = try Document.open(at: path, settings: ours)
    try document.edit { list, me in try list.append(by: &me) }
    try document.refresh()
    #expect(document.takeNotices().isEmpty && Array(document.list.version).count == 1)
    // The last one came when the lock of the last look was given back.
    #expect(document.list.count == 1 + crowded.visits && crowded.visits > 2)
  }
}

/// The real one, in which somebody else comes by whenever the lock of a document is given back.
private final class CrowdedFileSystem: FileSystem {
  private let files = PosixFileSystem()
  private let visit: @Sendable () -> Void
  private let state = Mutex((isVisited: false, visits: 0, locks: Set<OpenFile>()))

  init(_ visit: @escaping @Sendable () -> Void) { self.visit = visit }

  /// How often somebody came by.
  var visits: Int { state.withLock { $0.visits } }

  private func letIn() {
    let isFree = state.withLock { state in
      defer { state.isVisited = true }
      return !state.isVisited
    }
    guard isFree else { return }
    visit()
    state.withLock { state in
      state.isVisited = false
      state.visits += 1
    }
  }

  func lock(_ path: String) throws(FileSystemError) -> OpenFile {
    let lock = try files.lock(path)
    if path.hasSuffix(".trip.lock") { state.withLock { _ = $0.locks.insert(lock) } }
    return lock
  }
  func close(_ file: OpenFile) {
    let isLock = state.withLock { $0.locks.remove(file) != nil }
    files.close(file)
    if isLock { letIn() }
  }
  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try files.open(path, mode: mode)
  }
  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try files.read(file, at: offset, count: count)
  }
  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    try files.append(file, bytes: bytes)
  }
  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try files.truncate(file, to: size)
  }
  func sync(_ file: OpenFile) throws(FileSystemError) { try files.sync(file) }
  func barrier(_ file: OpenFile) throws(FileSystemError) { try files.barrier(file) }
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try files.status(of: file)
  }
  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try files.status(at: path)
  }
  func realPath(of path: String) throws(FileSystemError) -> String {
    try files.realPath(of: path)
  }
  func rename(_ path: String, to target: String) throws(FileSystemError) {
    try files.rename(path, to: target)
  }
  func link(_ path: String, to target: String) throws(FileSystemError) {
    try files.link(path, to: target)
  }
  func unlink(_ path: String) throws(FileSystemError) { try files.unlink(path) }
  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try files.makeDirectory(path, for: users)
  }
  func syncDirectory(_ path: String) throws(FileSystemError) { try files.syncDirectory(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try files.list(path) }
  func lock(_ file: OpenFile) throws(FileSystemError) { try files.lock(file) }
  func unlock(_ file: OpenFile) { files.unlock(file) }
  func pause(milliseconds: Int) { files.pause(milliseconds: milliseconds) }
}
