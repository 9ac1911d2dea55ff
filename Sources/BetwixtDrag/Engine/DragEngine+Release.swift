import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func released(at point: DragPoint, _ time: Int64) {
    guard point.isFinite else { return cancel(.system) }
    if press != nil { return dropPress() }
    guard let session, session.item != nil, !session.isByKeyboard else { return }
    let proposal = proposal(at: point)
    self.session?.point = point
    self.session?.proposal = proposal
    drop()
  }

  /// Ends the drag of an item as its proposal says.
  mutating func drop() {
    guard let session, let id = session.item else { return }
    switch session.proposal {
    case .move(let gap): drop(id, into: gap)
    case .stay:
      endShows(profile.shift)
      self.session = nil
      settle(id, at: session.presentFrame)
      emit(.announce(.unchanged(title: session.title)))
    case .tab: cancel(.overTab)
    case .forbidden, .none, .copy:
      endShows(profile.shift)
      snapBack()
      for beat in profile.invalidDropHaptics { emit(beat.kind, after: beat.after) }
      emit(.announce(.rejected(title: session.title, place(of: id))))
      emit(.focus(.item(id)))
      self.session = nil
    }
  }

  private mutating func drop(_ id: ItemID, into gap: Gap) {
    guard let session, let stage = sessionStage, let layout else { return }
    let frame =
      session.capture?.frame(in: gap, width: layout.width, height: session.height)
      ?? session.originalFrame
    // The rows get their new places by the layout that follows, so they do not run back.
    endShows(.none)
    self.session = nil
    commit([.move(id, gap)], title: session.title)
    settle(id, at: frame)
    emit(profile.drop)
    offerUndo("Moved to \(stage.name(of: gap.day).title)")
    emit(.announce(.dropped(title: session.title, stage.place(in: gap, moving: id))))
    emit(.focus(.item(id)))
  }

  private mutating func settle(_ id: ItemID, at frame: DragFrame) {
    emit(.lifted, .landed(at: frame, profile.shadow), profile.settle)
    showSource(id, after: profile.settle.duration)
  }

  private mutating func showSource(_ id: ItemID, after delay: Int) {
    emit(.item(id), .alpha(1), .none, delay: delay)
  }

  /// Sends the copy back to where it came from; in another tab it vanishes where it is.
  private mutating func snapBack() {
    guard let session, let id = session.item else { return }
    if session.isVisitor {
      emit(.lifted, .alpha(0), profile.snapBack)
    } else {
      var change = VisualChange.landed(at: session.originalFrame, profile.shadow)
      change.tintAlpha = 0
      emit(.lifted, change, profile.snapBack)
    }
    showSource(id, after: profile.snapBack.duration)
  }

  private func place(of id: ItemID) -> ListPlace? {
    stage(in: session?.homeTab, isVisitor: false)?.place(of: id)
  }
}

// MARK: - Giving up

extension DragEngine {
  /// Ends whatever goes on and writes nothing.
  mutating func cancel(_ reason: CancelReason) {
    dropPress()
    endGesture()
    guard let session else { return }
    endShows(profile.shift)
    guard let id = session.item else {
      self.session = nil
      return
    }
    if document?.list.contains(id: id) ?? false {
      snapBack()
      emit(.announce(.cancelled(place(of: id))))
      emit(.focus(.item(id)))
    } else {
      emit(.lifted, .alpha(0), profile.snapBack)
      // Its row is gone, but it may come back.
      showSource(id, after: 0)
      emit(.announce(.itemRemoved(title: session.title)))
    }
    self.session = nil
  }

  /// Takes from the screen all that a drag has put there, but not the copy.
  mutating func endShows(_ motion: Motion) {
    hideLine()
    removeTint()
    removeHighlight()
    stopScrolling()
    shift(to: nil, motion)
  }
}
