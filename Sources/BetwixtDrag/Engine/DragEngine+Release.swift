import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func released(at point: DragPoint, time: Int64) {
    guard point.isFinite else { return cancel(.system) }
    if press != nil { return dropPress() }
    guard let session, session.item != nil, !session.isByKeyboard else { return }
    aimForTheLastTime(at: point)
    drop()
  }

  /// Ends the drag of an item as its proposal says.
  mutating func drop() {
    guard let session, let id = session.item else { return }
    switch session.proposal {
    case .move(let gap): drop(id, into: gap)
    case .stay:
      endShows(profile.shift)
      state = .idle
      settle(id, at: session.presentFrame)
      emit(.announce(.unchanged(title: session.title)))
    case .tab: cancel(.overTab)
    case .forbidden, .none, .copy:
      endShows(profile.shift)
      state = .idle
      goBack(id, to: session.returnFrame)
      for beat in profile.invalidDropHaptics { emit(beat.kind, after: beat.after) }
      tell(.rejected(title: session.title, place(of: id, in: session)))
      emit(.focus(.item(id)))
    }
  }

  private mutating func drop(_ id: ItemID, into gap: Gap) {
    guard let session, let stage = sessionStage, let layout else { return }
    let frame =
      session.capture?.frame(in: gap, width: layout.width, height: session.height)
      ?? session.originalFrame
    // The rows get their new places by the layout that follows, so they do not run back.
    endShows(.none)
    state = .idle
    commit(
      [.move(id, gap)], step: EditStep(.move, title: session.title),
      end: .landing(id, to: frame, from: session.returnFrame), in: stage.name(of: gap.day),
      neighbour: neighbour(of: id))
  }

  mutating func settle(_ id: ItemID, at frame: DragFrame) {
    emit(.lifted, to: .landed(at: frame, shadow: profile.shadow), motion: profile.settle)
    endFlight(of: id, after: profile.settle.duration)
  }

  /// Sends the copy back to where it came from; where that cannot be seen it vanishes.
  mutating func goBack(_ id: ItemID, to frame: DragFrame?) {
    if let frame {
      var change = VisualChange.landed(at: frame, shadow: profile.shadow)
      change.tintAlpha = 0
      emit(.lifted, to: change, motion: profile.snapBack)
    } else {
      emit(.lifted, to: .alpha(0), motion: profile.snapBack)
    }
    endFlight(of: id, after: profile.snapBack.duration)
  }

  /// The row is seen again, and the copy goes.
  private mutating func endFlight(of id: ItemID, after delay: Int) {
    emit(.item(id), to: .alpha(1), motion: .none, delay: delay)
    removeCopy(after: delay)
  }

  private func place(of id: ItemID, in session: DragSession) -> ListPlace? {
    stage(in: session.homeTab, isVisitor: false)?.place(of: id)
  }
}

// MARK: - Giving up

extension DragEngine {
  /// Ends whatever goes on and writes nothing, but for a text that loses the focus.
  mutating func cancel(_ reason: CancelReason) {
    dropPress()
    endGesture(reason)
    guard let session else { return }
    endShows(profile.shift)
    state = .idle
    guard let id = session.item else { return }
    if document?.list.contains(id: id) ?? false {
      goBack(id, to: session.returnFrame)
      emit(.announce(.cancelled(place(of: id, in: session))))
      emit(.focus(.item(id)))
    } else {
      emit(.lifted, to: .alpha(0), motion: profile.snapBack)
      // Its row is gone, but it may come back.
      emit(.item(id), to: .alpha(1), motion: .none)
      removeCopy(after: profile.snapBack.duration)
      tell(.itemRemoved(title: session.title))
    }
  }

  /// Takes from the screen all that a drag has put there, but not the copy.
  mutating func endShows(_ motion: Motion) {
    hideLine()
    removeTint()
    removeHighlight()
    stopScrolling()
    shift(to: nil, motion: motion)
  }
}
