extension ServerFolder {
  /// How a folder is opened.
  public struct Settings: Sendable {
    /// Where the files are.
    public var fileSystem: any FileSystem

    /// Random bits, for the names of generations and of temporary files.
    public var random: @Sendable () -> UInt64

    /// How many bytes the journal may have before the documents are written: 16 MiB.
    ///
    /// That takes a few syncs for each document that was written to. Stores go on meanwhile; they wait
    /// for it only where the next journal has grown to four times this. More than 256 MiB count as
    /// that: who opens the folder reads all of a journal, of 2 GiB at most.
    public var journalLimit: Int

    /// Whether a document that nobody has made is made when somebody asks for it: then whoever may log
    /// in can make as many files as the drive holds, unless `mayOpen` of the server says no.
    public var makesDocuments: Bool

    /// How many documents keep their files open while they are used: 64, each of which takes two of
    /// the files that a process may open.
    ///
    /// Any others are opened for each time that they are written, which reads them once more. So
    /// documents leave room for connections, however many are asked for.
    public var openFiles: Int

    /// Is told why documents could not be written that nobody waits for: when the journal has grown,
    /// and when one is closed.
    ///
    /// Nothing is lost, and they are tried again; what they lack stays in a journal of its own. On a drive
    /// that is full the journal grows until they can be written, and nothing more can be
    /// stored when it has 2 GiB. It is also told why a document could not be opened of which the journal
    /// holds something when the folder is opened, `notFound` if its file is gone: who asks for that one is
    /// told so, and nobody else.
    public var failed: @Sendable (DocumentFileFailure) -> Void = { _ in }

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - fileSystem: Where the files are.
    ///   - journalLimit: How many bytes the journal may have before the documents are written.
    ///   - makesDocuments: Whether unknown documents are made; otherwise clients are told
    ///     `documentUnknown`.
    ///   - openFiles: How many documents keep their files open while they are used.
    ///   - random: Random bits, different in every run of a program.
    public init(
      fileSystem: any FileSystem = PosixFileSystem(), journalLimit: Int = 16 << 20,
      makesDocuments: Bool = true, openFiles: Int = 64, random: @escaping @Sendable () -> UInt64
    ) {
      self.fileSystem = fileSystem
      self.journalLimit = journalLimit
      self.makesDocuments = makesDocuments
      self.openFiles = openFiles
      self.random = random
    }
  }
}
