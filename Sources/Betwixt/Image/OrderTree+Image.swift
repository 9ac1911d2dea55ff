extension OrderTree {
  func write(to image: inout ImageWriter) {
    image.append(count)
    for entry in entries {
      image.append(entry.prefix.first)
      image.append(UInt64(entry.prefix.second) << 32 | UInt64(entry.slot.rawValue))
      image.pause()
    }
  }

  init(from image: inout ImageReader) throws(ImageFailure) {
    self.init()
    try rebuild(count: try image.count()) { _ throws(ImageFailure) in
      let (first, second) = (try image.number(), try image.number())
      return OrderEntry(
        prefix: OrderPrefix(first: first, second: UInt32(second >> 32)),
        slot: Slot(rawValue: UInt32(truncatingIfNeeded: second)))
    }
  }
}
