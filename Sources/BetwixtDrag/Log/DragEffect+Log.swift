import Betwixt
import BetwixtTrips

extension DragEffect {
  /// The effect as members of an object of a log.
  var logMembers: [(String, LogValue)] {
    switch self {
    case .prepareHaptics: [name("prepareHaptics")]
    case .haptic(let kind, let after):
      [name("haptic"), ("kind", .text(kind)), ("after", .integer(after))]
    case .animate(let animation): [name("animate")] + animation.logMembers
    case .line(.show(let gap, let frame, let style)):
      [
        name("line"), ("show", .gap(gap)), ("frame", .frame(frame)),
        ("color", .text(style.color)), ("width", .number(style.width)),
        ("cap", .text(style.cap)), ("margin", .number(style.margin)),
        ("fade", .integer(style.fade)),
      ]
    case .line(.hide(let fade)):
      [name("line"), ("show", .null), ("fade", .integer(fade))]
    case .tint(.invalid(let style)):
      [
        name("tint"), ("invalid", .bool(true)), ("color", .text(style.color)),
        ("alpha", .number(style.alpha)), ("corner", .number(style.corner)),
        ("fade", .integer(style.fade)),
      ]
    case .tint(.none(let fade)):
      [name("tint"), ("invalid", .bool(false)), ("fade", .integer(fade))]
    case .ticks(let on): [name("ticks"), ("on", .bool(on))]
    case .scroll(let distance): [name("scroll"), ("by", .number(distance))]
    case .reveal(let gap): [name("reveal"), ("gap", .gap(gap))]
    case .startTimer(let timer, let delay):
      [name("startTimer"), ("timer", .text(timer)), ("delay", .integer(delay))]
    case .cancelTimer(let timer): [name("cancelTimer"), ("timer", .text(timer))]
    default: furtherLogMembers
    }
  }

  private var furtherLogMembers: [(String, LogValue)] {
    switch self {
    case .highlight(let highlight):
      [
        name("highlight"), ("tab", .text(highlight?.tab)),
        ("label", highlight.map { .text($0.label) } ?? .null),
      ]
    case .switchTab(let tab, let motion):
      [name("switchTab"), ("tab", .text(tab)), ("motion", motion.logValue)]
    case .finishDelayed: [name("finishDelayed")]
    case .removeCopy(let after): [name("removeCopy"), ("after", .integer(after))]
    case .commit(let id, let edits):
      [
        name("commit"), ("commit", .integer(id.number)),
        ("edits", .list(edits.map { $0.logValue })),
      ]
    case .turn(let turn): [name("turn")] + turn.logMembers
    case .toast(let toast):
      [
        name("toast"), ("text", toast.map { .text($0.text) } ?? .null),
        ("button", (toast?.button).map { .text($0.title) } ?? .null),
      ]
    case .announce(let announcement):
      [name("announce"), ("text", .text(announcement.text))]
    case .focus(let row): [name("focus"), ("row", .row(row))]
    case .placeholder(let placeholder): [name("placeholder")] + (placeholder?.logMembers ?? [])
    case .cue(let cue):
      [
        name("cue"), ("kind", .text(cue.kind)), ("progress", .number(cue.progress)),
        ("armed", .bool(cue.isArmed)), ("audible", .bool(cue.isAudible)),
      ]
    case .beginEditing(let target, let frame, let text):
      [
        name("beginEditing"), target.logMember, ("frame", .frame(frame)), ("text", .string(text)),
      ]
    case .editText(let text): [name("editText"), ("text", .string(text))]
    case .endEditing(let target, .finished): [name("endEditing"), target.logMember]
    case .endEditing(let target, .lost(let text)):
      [name("endEditing"), target.logMember, ("lost", .string(text))]
    case .reload(let after): [name("reload"), ("after", .integer(after))]
    default: []
    }
  }

  private func name(_ name: String) -> (String, LogValue) { ("effect", .text(name)) }
}

extension EditTarget {
  fileprivate var logMember: (String, LogValue) {
    switch self {
    case .item(let id): ("item", .id(id))
    case .draft(let gap): ("draft", .gap(gap))
    }
  }
}

extension UndoTurn {
  /// The turn as members of an object of a log.
  var logMembers: [(String, LogValue)] {
    switch self {
    case .undo(let commit):
      [
        ("turn", .string("undo")), ("commit", commit.map { .integer($0.number) } ?? .null),
      ]
    case .redo: [("turn", .string("redo"))]
    case .insist: [("turn", .string("insist"))]
    }
  }
}

extension RowAnimation {
  fileprivate var logMembers: [(String, LogValue)] {
    let target: (String, LogValue) =
      switch self.target {
      case .lifted: ("lifted", .bool(true))
      case .item(let id): ("item", .id(id))
      case .rows(let rows): ("rows", .list(rows.map { .row($0) }))
      }
    return [target] + changes.logMembers + [
      ("duration", .integer(duration)), ("delay", .integer(delay)), ("curve", curve.logValue),
    ]
  }
}

extension VisualChange {
  fileprivate var logMembers: [(String, LogValue)] {
    let numbers: [(String, Double?)] = [
      ("shiftX", shiftX), ("shiftY", shiftY), ("alpha", alpha), ("scale", scale),
      ("tiltY", tiltY), ("perspective", perspective), ("corner", corner),
      ("tintAlpha", tintAlpha),
    ]
    var members = frame.map { [("frame", LogValue.frame($0))] } ?? []
    members += numbers.compactMap { name, value in value.map { (name, .number($0)) } }
    if let shadow {
      let parts = [shadow.x, shadow.y, shadow.radius, shadow.from, shadow.to]
      members.append(("shadow", .list(parts.map { .number($0) })))
    }
    return members
  }
}

extension AddPlaceholder {
  fileprivate var logMembers: [(String, LogValue)] {
    [
      ("frame", .frame(frame)), ("text", .text(text)), ("alpha", .number(alpha)),
      ("scaleY", .number(scaleY)), ("like", .row(like)),
    ]
  }
}

extension ListEdit {
  fileprivate var logValue: LogValue {
    switch self {
    case .move(let id, let gap):
      .object([("edit", .text("move")), ("item", .id(id)), ("gap", .gap(gap))])
    case .insert(let fields, let gap):
      .object([("edit", .text("insert")), ("fields", .fields(fields)), ("gap", .gap(gap))])
    case .addGame(let fields):
      .object([("edit", .text("addGame")), ("fields", .fields(fields))])
    case .set(let id, let name, let value):
      .object([
        ("edit", .text("set")), ("item", .id(id)), ("field", .text(name.text)),
        ("value", .field(value)),
      ])
    case .remove(let id): .object([("edit", .text("remove")), ("item", .id(id))])
    }
  }
}
