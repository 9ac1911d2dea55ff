/// Where the commits of a document file's bytes stand: those that follow each other from the
/// header on, and those behind a place that is damaged.
struct CommitScan {
  /// The commits from the header on, ordinals rising by one from 0.
  private(set) var commits: [CommitFrame] = []

  /// The first byte that is no part of those.
  private(set) var end = DocumentHeader.size

  /// Whole commits behind `end`, in the order they stand in the file.
  private(set) var islands: [CommitFrame] = []

  /// Whether a whole commit was forgotten.
  private(set) var isStopped = false

  /// - Complexity: O(*b*) for *b* bytes: looking for islands stops when checksums have read eight
  ///   times the file, which takes a file made for it
  init(_ bytes: [UInt8], in header: DocumentHeader) {
    var work = 0
    while let frame = CommitFrame(bytes, at: end, in: header, work: &work),
      Int(frame.ordinal) == commits.count
    {
      commits.append(frame)
      end = frame.end
    }
    findIslands(bytes, header)
  }

  private mutating func findIslands(_ bytes: [UInt8], _ header: DocumentHeader) {
    var work = 0
    let marker = header.marker
    let first = marker[0]
    var place = end
    while place + CommitFrame.overhead <= bytes.count, work <= bytes.count * 8 {
      if bytes[place] == first,
        let frame = CommitFrame(bytes, at: place, in: header, work: &work)
      {
        islands.append(frame)
        place = frame.end
      } else {
        place += 1
      }
    }
  }

  /// Forgets a commit and those behind it; they become islands, the first one excepted.
  mutating func stop(before index: Int) {
    guard index < commits.count else { return }
    isStopped = true
    islands = commits[(index + 1)...] + islands
    end = commits[index].payload.lowerBound - (CommitFrame.overhead - 4)
    commits.removeSubrange(index...)
  }
}
