import Betwixt
import BetwixtDrag
import BetwixtTrips

// A line of text that is typed.

extension EditHost {
  mutating func ask(for field: FieldName, now: Int64) {
    guard let id = chosen?.item, let item = trip.list[id: id], trip.kind(of: id) != .game else {
      return say("This has no \(field.text) that is edited here.")
    }
    prompt = EditPrompt(.field(id, field), base: item[field]?.string ?? "")
  }

  mutating func type(_ input: TerminalInput, now: Int64) {
    switch input {
    case .enter: return keep(now)
    case .escape, .interrupt:
      let ended = prompt
      prompt = nil
      if let ended, ended.isOrphaned { return giveBack(ended) }
      if ended?.purpose == .title { send(.edit(.cancel), now: now) }
      return
    default: break
    }
    guard let isChanged = prompt?.line.take(input), let prompt else { return }
    self.prompt?.hint = nil
    if isChanged, prompt.purpose == .title, !prompt.isOrphaned {
      send(.edit(.text(prompt.line.text)), now: now)
    }
  }

  /// Ends a line whose item is gone.
  private mutating func giveBack(_ prompt: EditPrompt) {
    let (reason, typed) = (prompt.loss ?? "", prompt.line.text)
    if typed == prompt.base { say(reason) } else { handBack(typed, because: reason) }
  }

  private mutating func keep(_ now: Int64) {
    guard let prompt else { return }
    guard !prompt.isOrphaned else {
      self.prompt = nil
      return giveBack(prompt)
    }
    if let refusal = prompt.refusal {
      self.prompt?.hint = refusal
      return
    }
    switch prompt.purpose {
    case .title:
      self.prompt = nil
      send(.edit(.commit), now: now)
    case .field(let id, let name):
      self.prompt = nil
      guard prompt.value != trip.list[id: id]?[name] else { return }
      requests.append(.set(id, name, prompt.value))
      // What is offered to be taken back is not the newest step any more.
      dropOffer()
    case .search:
      self.prompt = nil
      find(prompt.line.text.isEmpty ? wanted : prompt.line.text, now: now)
    }
  }

  /// Goes to the next item with such words, from the top again behind the last one.
  private mutating func find(_ words: String, now: Int64) {
    wanted = words
    let letters = words.lowercased()
    guard !letters.isEmpty, !rows.refs.isEmpty else { return }
    let places = (cursor + 1..<cursor + 1 + rows.refs.count).map { $0 % rows.refs.count }
    let place = places.first { place in
      guard let item = rows.refs[place].item.flatMap({ trip.list[id: $0] }) else { return false }
      return [item.summary, item.words(.note), item.words(.address), item.words(.city)]
        .contains { $0?.lowercased().contains(letters) ?? false }
    }
    guard let place else { return say("Nothing holds “\(words)”.") }
    choose(place, now: now)
  }
}

// MARK: - What others do meanwhile

extension EditHost {
  /// Ends the typing of a title, at the user's wish or because there is nothing left to type it for.
  mutating func endEditing(_ end: EditEnd) {
    if prompt?.purpose == .title {
      // The rest of what is being typed is text, and no commands.
      prompt?.isOrphaned = true
    } else if case .lost(let typed) = end {
      lostText = typed
    }
  }

  /// Says what was typed for an item that is gone: it can still be read, and typed again.
  mutating func handBack(_ typed: String, because reason: String) {
    say(reason + (reason.isEmpty ? "" : " ") + "You had typed: \(typed)")
  }

  /// Notes that a field is typed of an item that is gone.
  mutating func orphan(_ id: ItemID) {
    guard prompt?.isOrphaned == false else { return }
    prompt?.isOrphaned = true
    prompt?.loss = Announcement.itemRemoved(title: trip.list[id: id]?.summary ?? "").text
  }
}
