import BetwixtTrips

extension DragEngine {
  mutating func ranDown(_ timer: TimerID, _ time: Int64) {
    switch timer {
    case .longPress: liftPressed(time)
    case .tabHover: hovered(time)
    case .undo: undoRanDown()
    }
  }
}

// MARK: - Scrolling at the edges

extension DragEngine {
  /// Notes whether the pointer is near an edge.
  mutating func updateScrolling(_ time: Int64) {
    guard var scrolling = session?.scrolling, let point = session?.point, let layout else {
      return
    }
    var band = Scrolling.band(
      at: point.y, viewportHeight: layout.viewportHeight, profile.autoScroll)
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
      at: session.point.y, viewportHeight: layout.viewportHeight, profile)
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

// MARK: - Tabs

extension DragEngine {
  /// The tab under a point.
  func tab(at point: DragPoint) -> TaskTab? {
    guard let layout, let strip = layout.tabStrip, strip.width > 0, strip.y <= point.y,
      point.y < strip.maxY
    else { return nil }
    let tabs = TaskTab.allCases
    let number = ((point.x - strip.x) / (strip.width / Double(tabs.count))).rounded(.down)
    return tabs[Int(min(max(number, 0), Double(tabs.count - 1)))]
  }

  /// Highlights the tab that the drag is over, if it can be opened from here.
  mutating func showTab(of proposal: DropProposal) {
    guard let session else { return }
    var target: TaskTab?
    if case .tab(let tab) = proposal, let here = session.tab, session.item != nil,
      settings.tabTargets[here]?.contains(tab) ?? false
    {
      target = tab
    }
    guard target != session.highlight else { return }
    removeHighlight()
    guard let target else { return }
    self.session?.highlight = target
    let label = "Drop to \(target.title)"
    emit(.highlight(TabHighlight(tab: target, label: label, style: profile.tabHighlight)))
    emit(.startTimer(.tabHover, delay: profile.tabHover))
  }

  mutating func removeHighlight() {
    guard session?.highlight != nil else { return }
    session?.highlight = nil
    emit(.cancelTimer(.tabHover))
    emit(.highlight(nil))
  }

  /// A drag has rested over a tab long enough: the tab opens, and the drag goes on there.
  mutating func hovered(_ time: Int64) {
    guard let session, let tab = session.highlight, session.proposal == .tab(tab) else { return }
    self.session?.highlight = nil
    self.session?.tab = tab
    self.session?.capture = nil
    self.session?.isCaptureOutdated = false
    emit(.highlight(nil))
    emit(.switchTab(tab, profile.tabSwitch))
    emit(.announce(.tabShown(tab)))
  }
}
