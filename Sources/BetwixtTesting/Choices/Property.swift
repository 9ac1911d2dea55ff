/// What a run showed that it must not.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was seen and what was expected.
  public let description: String

  /// Makes a violation.
  public init(_ description: String) { self.description = description }
}

/// Throws unless a condition of a run holds.
///
/// - Parameters:
///   - condition: What must hold.
///   - message: What is wrong if it does not.
/// - Throws: ``Violation``
public func require(
  _ condition: Bool, _ message: @autoclosure () -> String
) throws(Violation) {
  guard condition else { throw Violation(message()) }
}

/// A property of generated values, checked for many seeds.
///
///     try Property { source in
///       let list = source.list(itemCount: 20)
///       let copy = try SealedBlock.decode(try SealedBlock.encode(list))
///       try require(copy == list, "a list does not survive its bytes")
///     }.check(seeds: 0..<200)
///
/// A failure is made smaller before it is thrown, and names the choices that replay it.
public struct Property {
  private let body: (inout ChoiceSource) throws -> Void

  /// Makes a property of a body that throws if it does not hold.
  public init(_ body: @escaping (inout ChoiceSource) throws -> Void) { self.body = body }

  /// Checks the property for each seed.
  ///
  /// - Throws: ``PropertyFailure`` for the first seed that fails.
  /// - Complexity: one run for each seed, and some thousands to make a failure smaller
  public func check(seeds: Range<UInt64>) throws(PropertyFailure) {
    for seed in seeds {
      var source = ChoiceSource(seed: seed)
      guard failure(&source) != nil else { continue }
      let shrunk = Shrinker().shrink(source.choices) { choices in
        var replay = ChoiceSource(replaying: choices)
        return failure(&replay) != nil
      }
      throw PropertyFailure(seed: seed, choices: shrunk, reason: reason(shrunk))
    }
  }

  /// Runs the property once with recorded choices, as a failure names them.
  ///
  /// - Throws: whatever the body throws
  public func replay(_ choices: [UInt64]) throws {
    var source = ChoiceSource(replaying: choices)
    try body(&source)
  }

  private func reason(_ choices: [UInt64]) -> String {
    var source = ChoiceSource(replaying: choices)
    return failure(&source) ?? "holds when it is run again: the body is not deterministic"
  }

  private func failure(_ source: inout ChoiceSource) -> String? {
    do {
      try body(&source)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

/// A property that does not hold, and the smallest choices found that show it.
public struct PropertyFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The seed that failed.
  public let seed: UInt64

  /// The choices, for ``Property/replay(_:)``.
  public let choices: [UInt64]

  /// What the body threw.
  public let reason: String

  /// All three, as they can be pasted into a test.
  public var description: String { "seed \(seed): \(reason)\nreplay(\(choices))" }
}
