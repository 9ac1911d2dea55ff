extension ItemStore {
  /// Writes all pages, which are packed.
  func write(to image: inout ImageWriter) {
    image.append(completeCount)
    image.append(authorReview)
    image.append(authors.names)
    image.append(branches.reduce(0) { $0 + $1.pages.count })
    for branch in branches {
      for page in branch.pages {
        page.write(to: &image)
        image.pause()
      }
    }
  }

  init(from image: inout ImageReader) throws(ImageFailure) {
    let (completeCount, review) = (Int(try image.number()), Int(try image.number()))
    let authors = OrderAuthors(try image.words().map { ReplicaID(rawValue: $0) })
    let pageCount = try image.count()
    var pages: [Page] = []
    pages.reserveCapacity(pageCount)
    for index in 0..<pageCount {
      let page = try Page(from: &image)
      guard page.itemCount == Slot.fanOut || index == pageCount - 1 else { throw ImageFailure() }
      pages.append(page)
    }
    self.init(pages, completeCount: completeCount, authors: authors, authorReview: review)
  }
}

extension Page {
  private static let alignedMark: UInt64 = 1 << 32

  fileprivate func write(to image: inout ImageWriter) {
    image.append(packed?.items.words ?? [])
    image.append(packed?.contents.words ?? [])
    image.append(packed?.fields.words ?? [])
    arena.write(to: &image)
    image.append(UInt64(newest.marks.count) | (isAligned ? Page.alignedMark : 0))
    for mark in newest.marks {
      image.append(UInt64(mark.replica))
      image.append(UInt64(bitPattern: mark.sequence))
    }
  }

  fileprivate init(from image: inout ImageReader) throws(ImageFailure) {
    let packed = PackedPage(
      items: PackedRows(words: try image.words()), contents: PackedRows(words: try image.words()),
      fields: PackedRows(words: try image.words()))
    let arena = try ByteArena(from: &image)
    let head = try image.number()
    var marks: [Frontier.Mark] = []
    for _ in 0..<(head & ~Page.alignedMark) {
      marks.append(
        Frontier.Mark(
          replica: UInt32(truncatingIfNeeded: try image.number()),
          sequence: Int64(bitPattern: try image.number())))
    }
    self.init(
      packed, arena: arena, isAligned: head & Page.alignedMark != 0,
      newest: Frontier(marks: marks))
  }
}

extension ByteArena {
  fileprivate func write(to image: inout ImageWriter) {
    image.append(bytes)
    image.append(UInt64(garbage) << 1 | (hasFree ? 1 : 0))
    image.append(large.count)
    for value in large { image.append(value) }
  }

  fileprivate init(from image: inout ImageReader) throws(ImageFailure) {
    let bytes = try image.bytes()
    let state = try image.number()
    var large: [[UInt8]] = []
    for _ in 0..<(try image.count()) { large.append(try image.bytes()) }
    self.init(
      bytes: bytes, large: large, garbage: UInt32(truncatingIfNeeded: state >> 1),
      hasFree: state & 1 != 0)
  }
}
