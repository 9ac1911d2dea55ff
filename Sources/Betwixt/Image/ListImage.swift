/// A list as it lies in memory, as bytes: what a program keeps for itself, so that the next one need not
/// decode what this one has decoded.
///
///     var bytes: [UInt8] = []
///     _ = ListImage.write(list, mark: mark) { bytes += $0; return true }
///     let same = ListImage.list(mark: mark) { offset, count in
///       offset + count <= bytes.count ? Array(bytes[offset..<offset + count]) : nil
///     }                            // behaves as the list does in everything
///
/// Reading one copies memory, where decoding and sorting take several times as long. It is no format:
/// only the same form of the library on the same kind of machine reads it, and what is read is not
/// looked at but for checksums against damage. So it must come from where nobody else writes, and
/// nothing may depend on its being there.
package enum ListImage {
  /// Raised with whatever changes how a list lies in memory, or in here.
  private static let form: UInt64 = 2
  // Its bytes say which order they have.
  private static let magic: UInt64 = 0x4254_5849_4d41_4745

  /// Writes the image of a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - mark: What tells it from other lists; whoever reads the image needs the same.
  ///   - write: Takes bytes that follow those before; false if it cannot.
  /// - Returns: Whether all was taken.
  /// - Complexity: O(*n*)
  package static func write(
    _ list: ReplicatedList, mark: [UInt8], to write: @escaping (_ bytes: [UInt8]) -> Bool
  ) -> Bool {
    var packed = list
    packed.pack()
    var image = ImageWriter(to: write)
    image.append(magic ^ form)
    image.append(mark)
    // Who looks for another list reads no further.
    image.endSection()
    packed.write(to: &image)
    image.append(magic)
    image.endSection()
    return image.isWhole
  }

  /// The list of an image.
  ///
  /// - Parameters:
  ///   - mark: What ``write(_:mark:to:)`` was told.
  ///   - read: The bytes from an offset on, exactly so many, of what that made here and may be damaged
  ///     since; `nil` if there are fewer.
  /// - Returns: The list; `nil` if the bytes are damaged, or an image of something else.
  /// - Complexity: O(*b*) for *b* bytes
  package static func list(
    mark: [UInt8], reading read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> ReplicatedList? {
    var image = ImageReader(reading: read)
    do {
      guard try image.number() == magic ^ form, try image.bytes() == mark else { return nil }
      let list = try ReplicatedList(from: &image)
      return try image.number() == magic ? list : nil
    } catch {
      return nil
    }
  }
}

extension ReplicatedList {
  fileprivate func write(to image: inout ImageWriter) {
    for word in [id.high, id.low] { image.append(word) }
    replicas.write(to: &image)
    registers.write(to: &image)
    image.append(floor.count)
    for component in floor {
      image.append(component.replica.rawValue)
      image.append(UInt64(bitPattern: component.sequence))
      image.pause()
    }
    store.write(to: &image)
    order.write(to: &image)
  }

  fileprivate init(from image: inout ImageReader) throws(ImageFailure) {
    self.init(id: ListID(high: try image.number(), low: try image.number()))
    replicas = try ReplicaTable(from: &image)
    registers = try RegisterTable(from: &image)
    for _ in 0..<(try image.count()) {
      floor[ReplicaID(rawValue: try image.number())] = Int64(bitPattern: try image.number())
    }
    store = try ItemStore(from: &image)
    order = try OrderTree(from: &image)
    index = IDIndex(store)
    checkInvariants()
  }
}
