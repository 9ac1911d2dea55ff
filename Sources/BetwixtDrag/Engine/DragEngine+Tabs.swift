import BetwixtTrips

extension DragEngine {
  /// The tab under a point.
  func tab(at point: DragPoint) -> TaskTab? {
    guard let layout, let strip = layout.tabStrip, strip.width > 0, strip.y <= point.y,
      point.y < strip.maxY
    else { return nil }
    let tabs = TaskTab.allCases
    let number = (point.x - strip.x) / (strip.width / Double(tabs.count))
    // The narrowest strip has no parts, and what is divided by nothing is no number.
    guard number.isFinite else { return nil }
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
  mutating func hovered() {
    guard let session, let tab = session.highlight, session.proposal == .tab(tab) else { return }
    self.session?.highlight = nil
    emit(.highlight(nil))
    enter(tab)
  }

  /// Goes on in another tab; until its rows are laid out there is no gap.
  mutating func enter(_ tab: TaskTab) {
    // The rows of this tab are left as they belong.
    hideLine()
    removeTint()
    stopScrolling()
    shift(to: nil, motion: .none)
    session?.enter(tab)
    session?.proposal = .none
    emit(.announce(.tabShown(tab)))
    emit(.switchTab(tab, profile.tabSwitch))
  }
}
