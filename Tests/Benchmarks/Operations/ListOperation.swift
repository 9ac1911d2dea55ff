/// One user action of a workload.
enum ListOperation {
  /// The new item ends up at the index.
  case insert(at: Int, value: String)
  case delete(at: Int)
  case set(at: Int, value: String)

  /// The item at `from` ends up at `to`.
  case move(from: Int, to: Int)
}

/// What kind of action to draw.
private enum Kind {
  case move
  case insert
  case delete
  case set
}

extension [ListOperation] {
  static func appends(_ count: Int) -> [ListOperation] {
    (0..<count).map { .insert(at: $0, value: ItemValue.make($0)) }
  }

  static func prepends(_ count: Int) -> [ListOperation] {
    (0..<count).map { .insert(at: 0, value: ItemValue.make($0)) }
  }

  static func randomInserts(_ count: Int) -> [ListOperation] {
    var generator = SplitMix64(seed: 2)
    return (0..<count).map { .insert(at: generator.below($0 + 1), value: ItemValue.make($0)) }
  }

  static func moves(_ count: Int, base: Int, seed: UInt64) -> [ListOperation] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      let source = generator.below(base)
      return .move(from: source, to: generator.below(base))
    }
  }

  /// What a fork does offline: of 14 operations ten moves, one insert, one delete, two updates.
  static func mixed(
    _ count: Int, seed: UInt64, payloads: Int, on order: inout ChunkedOrder<String>
  ) -> [ListOperation] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { number in
      let kind: Kind =
        switch number % 14 {
        case 0...9: .move
        case 10: .insert
        case 11: .delete
        default: .set
        }
      return draw(kind, from: &generator, payload: payloads + number, on: &order)
    }
  }

  /// The five edits of one side of a small exchange.
  static func five(seed: UInt64, on order: inout ChunkedOrder<String>) -> [ListOperation] {
    var generator = SplitMix64(seed: seed)
    let kinds: [Kind] = [.move, .insert, .delete, .set, .move]
    return kinds.enumerated().map { number, kind in
      draw(kind, from: &generator, payload: Int(seed) * 1_000_000 + number, on: &order)
    }
  }

  private static func draw(
    _ kind: Kind, from generator: inout SplitMix64, payload: Int,
    on order: inout ChunkedOrder<String>
  ) -> ListOperation {
    let count = order.count
    let operation: ListOperation
    switch kind {
    case .move:
      let source = generator.below(count)
      operation = .move(from: source, to: generator.below(count))
    case .insert:
      operation = .insert(at: generator.below(count + 1), value: ItemValue.make(payload))
    case .delete:
      operation = .delete(at: generator.below(count))
    case .set:
      let index = generator.below(count)
      operation = .set(at: index, value: ItemValue.updated(order[index], payload: payload))
    }
    order.apply(operation)
    return operation
  }
}
