extension Document {
  /// How documents are opened.
  ///
  ///     let settings = Document.Settings(
  ///       stateDirectory: FileIdentityStore.standardDirectory(),
  ///       clock: { Int64(Date().timeIntervalSince1970 * 1000) },
  ///       random: { .random(in: 0 ... .max) })
  public struct Settings: Sendable {
    /// How the file is opened: by default shared with other programs, each commit on the drive
    /// before it returns, and with ten seconds of patience for another's lock.
    public var file: DocumentFile.Settings

    /// A folder of this installation that no tool copies to other machines; `nil` for reading only.
    ///
    /// Each document file has a folder in it, with the id that writes there, the steps that can be
    /// taken back, how far shared folders were written, and an image of a large document, see
    /// ``imageByteCount``.
    ///
    /// It is found by the path of the document, without symbolic links. A document that was renamed or
    /// moved on its drive keeps all of it, also where the system moves the folder of an app with both.
    /// One that comes from another drive or from a backup, and whose old path is gone, keeps the steps,
    /// knows what was written here before, and has a new writer; so has every copy, and one that lies
    /// beside the original starts without steps. What belongs to a document that was deleted stays until
    /// somebody deletes it.
    public var stateDirectory: String?

    /// A name of the machine, so that a state folder that was copied to another one shows.
    public var machine: [UInt8]

    /// From how many bytes on a snapshot is kept once more in the state directory, as the list lies in
    /// memory, so that the next opening need not decode it; `nil` keeps none.
    ///
    /// It takes about twice the room of the snapshot, and there is one for each document. Nothing but
    /// time depends on it: what is damaged, gone, or of another form is made again, and where a drive is
    /// full it makes room.
    public var imageByteCount: Int? = 1 << 20

    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var clock: @Sendable () -> Int64

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - stateDirectory: Where to keep what this installation knows of each document, such as
    ///     ``FileIdentityStore/standardDirectory()``.
    ///   - clock: Milliseconds since 1970-01-01T00:00:00Z.
    ///   - random: Random bits, different in every run of a program.
    public init(
      stateDirectory: String?, clock: @escaping @Sendable () -> Int64,
      random: @escaping @Sendable () -> UInt64
    ) {
      self.stateDirectory = stateDirectory
      self.clock = clock
      machine = FileIdentityStore.machineName()
      file = DocumentFile.Settings(random: random)
      file.access = .shared
      file.lockWaitMilliseconds = 10_000
    }

    /// Random bits.
    var random: @Sendable () -> UInt64 { file.random }

    /// Where the files are.
    var fileSystem: any FileSystem { file.fileSystem }
  }
}
