import Betwixt

/// One step of a generated run: the unit in which a failing run is cut down.
///
/// Numbers are taken modulo what is there when the step runs, so a run from which steps were left
/// out is still a run.
enum Action: Equatable {
  case insert(device: Int, offset: Int, section: Int, payload: Int)
  case move(device: Int, item: Int, offset: Int, section: Int)
  case moveBlock(device: Int, items: [Int], offset: Int, section: Int)
  case set(device: Int, item: Int, field: Int, payload: Int)
  case clear(device: Int, item: Int, field: Int)
  case remove(device: Int, item: Int)
  case restore(device: Int, item: Int)

  /// What the receiver lacks, as one delta.
  case send(from: Int, to: Int)

  /// Part of such a delta in another order and without a claim, as a cut transfer leaves it.
  case sendPart(from: Int, to: Int, seed: Int)

  /// What one device lacks, brought to another, whose claims it was not made for.
  case divert(from: Int, madeFor: Int, to: Int)

  /// The whole list, claims included.
  case merge(from: Int, to: Int)
  case setClock(device: Int, milliseconds: Int64)

  /// Takes back what the device did last.
  case undo(device: Int)

  /// The device goes on with a copy of another's list under the other's id and number.
  case clone(device: Int, of: Int)

  /// The device's list becomes what it was some steps ago; its number with it, if `forgets`.
  case rollBack(device: Int, forgets: Bool)
}

extension Action {
  /// What a run may hold.
  struct Mix {
    var devices = 3
    var sections = 3
    var fields = 3
    var hasWildClocks = false
    var hasClones = false
  }

  /// Draws a run.
  static func program(length: Int, _ mix: Mix, from source: inout ChoiceSource) -> [Action] {
    (0..<length).map { _ in draw(mix, from: &source) }
  }

  private static func draw(_ mix: Mix, from source: inout ChoiceSource) -> Action {
    let device = source.next(below: mix.devices)
    let kind = source.next(below: 100)
    if kind >= 95, mix.hasWildClocks {
      return .setClock(device: device, milliseconds: clock(from: &source))
    }
    if kind >= 92, mix.hasClones {
      return source.chance(1, in: 2)
        ? .clone(device: device, of: source.next(below: mix.devices))
        : .rollBack(device: device, forgets: source.chance(1, in: 2))
    }
    return kind < 70
      ? edit(kind, device, mix, from: &source) : exchange(device, mix, from: &source)
  }

  private static func edit(
    _ kind: Int, _ device: Int, _ mix: Mix, from source: inout ChoiceSource
  ) -> Action {
    let item = source.next(below: 64)
    let offset = source.next(below: 64)
    let section = source.next(below: mix.sections)
    let field = source.next(below: mix.fields)
    switch kind {
    case 0..<20:
      return .insert(
        device: device, offset: offset, section: section, payload: source.next(below: 1000))
    case 20..<36: return .move(device: device, item: item, offset: offset, section: section)
    case 36..<40:
      let items = (0..<1 + source.next(below: 4)).map { _ in source.next(below: 64) }
      return .moveBlock(device: device, items: items, offset: offset, section: section)
    case 40..<50:
      return .set(device: device, item: item, field: field, payload: source.next(below: 6))
    case 50..<53: return .clear(device: device, item: item, field: field)
    case 53..<61: return .remove(device: device, item: item)
    case 61..<66: return .restore(device: device, item: item)
    default: return .undo(device: device)
    }
  }

  private static func exchange(
    _ device: Int, _ mix: Mix, from source: inout ChoiceSource
  ) -> Action {
    let other = (device + 1 + source.next(below: mix.devices - 1)) % mix.devices
    switch source.next(below: 5) {
    case 0: return .merge(from: other, to: device)
    case 2: return .divert(from: other, madeFor: source.next(below: mix.devices), to: device)
    case 1: return .sendPart(from: other, to: device, seed: source.next(below: 1000))
    default: return .send(from: other, to: device)
    }
  }

  /// Clocks a century off, frozen at 0, before 1970, at the end of time.
  private static func clock(from source: inout ChoiceSource) -> Int64 {
    let century: Int64 = 100 * 365 * 86_400_000
    let now = World.startOfTime
    return source.pick([now + century, now - century, 0, -1, .min, .max, now, now + 1, now - 1])
  }
}
