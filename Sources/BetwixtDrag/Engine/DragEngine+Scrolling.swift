extension DragEngine {
  /// Notes whether the pointer is near an edge.
  mutating func updateScrolling(_ time: Int64) {
    guard var scrolling = session?.scrolling, let point = session?.point, let layout else {
      return
    }
    var band = Scrolling.band(
      at: point.y, viewportHeight: layout.viewportHeight, profile: profile.autoScroll)
    if case .tab = session?.proposal { band = nil }
    // A list that fits has nowhere to go.
    if layout.offsets.upperBound == 0 { band = nil }
    if let rest = scrolling.rest {
      if let band, band.edge == rest.edge, band.depth < rest.depth + Scrolling.wakeDistance {
        return
      }
      scrolling.rest = nil
    }
    if band?.edge != scrolling.edge {
      if (band == nil) != (scrolling.edge == nil) { emit(.ticks(band != nil)) }
      scrolling.edge = band?.edge
      scrolling.enteredAt = time
      scrolling.lastTick = time
    }
    session?.scrolling = scrolling
  }

  mutating func tick(_ time: Int64) {
    guard let session, let edge = session.scrolling.edge, let layout else { return }
    let profile = profile.autoScroll
    let band = Scrolling.band(
      at: session.point.y, viewportHeight: layout.viewportHeight, profile: profile)
    let (passed, overflow) = time.subtractingReportingOverflow(session.scrolling.lastTick)
    guard let band, band.edge == edge, !overflow, passed > 0 else { return }
    self.session?.scrolling.lastTick = time
    let (inBand, isLong) = time.subtractingReportingOverflow(session.scrolling.enteredAt)
    let speed = profile.speed(
      depth: band.depth, inBand: isLong ? .max : inBand,
      band: profile.band(viewportHeight: layout.viewportHeight))
    guard speed > 0 else { return }
    let step = max(1, speed * min(Double(passed), 1_000.0 / 60) / 1_000)
    let offsets = layout.offsets
    let target = layout.offset + (edge == .top ? -step : step)
    let offset = min(max(target, offsets.lowerBound), offsets.upperBound)
    // A list that is pulled beyond its end is not pushed further, nor back.
    let isTowardsEdge = edge == .top ? offset < layout.offset : offset > layout.offset
    if isTowardsEdge { emit(.scroll(by: offset - layout.offset)) }
  }

  mutating func stopScrolling() {
    guard let scrolling = session?.scrolling else { return }
    session?.scrolling = Scrolling()
    if scrolling.edge != nil { emit(.ticks(false)) }
  }
}
