/// What one workload, or one phase of it, came to: a JSON object on one line.
struct ResultLine {
  /// What a finished run was held against.
  enum Check {
    /// Length and hash of ``Expected``.
    case expected
    /// The plain model, at the point where the run stopped.
    case model
    /// A property of the result, named in the notes.
    case property
    /// The result is wrong.
    case failed(String)
  }

  static let peer = "betwixt"
  static let version = "0.1.0"

  /// What the check of a wrong result begins with.
  static let wrong = "WRONG"

  var workload: String
  var timing: Timing
  var ops: Int
  var bytes: Int?
  var notes = ""
  var details: [JSON.Member] = []
  var check: Check

  init(_ workload: String, _ timing: Timing, ops: Int, check: Check) {
    self.workload = workload
    self.timing = timing
    self.ops = ops
    self.check = check
  }

  /// Adds a field of this workload's own.
  mutating func add(_ name: String, _ value: JSON) {
    details.append(JSON.Member(name: name, value: value))
  }

  var json: JSON {
    let common: [JSON.Member] = [
      .init(name: "peer", value: .string(Self.peer)),
      .init(name: "version", value: .string(Self.version)),
      .init(name: "workload", value: .string(workload)),
      .init(name: "seconds", value: JSON(timing.seconds)),
      .init(name: "cpu", value: JSON(timing.cpu)),
      .init(name: "bytes", value: JSON(bytes)),
      .init(name: "ops", value: .int(ops)),
      .init(name: "notes", value: .string(notes)),
      .init(name: "check", value: .string(checkText)),
    ]
    return .object(common + details)
  }

  private var checkText: String {
    switch check {
    case .expected: "expected length and hash"
    case .model: "same as the model"
    case .property: "property holds"
    case .failed(let reason): "\(Self.wrong): \(reason)"
    }
  }
}

extension ResultLine.Check {
  /// Compares a result with what it must be.
  static func compare(_ actual: Content, _ wanted: Content, else pass: Self = .expected) -> Self {
    guard actual == wanted else {
      return .failed(
        "length \(actual.length) hash \(actual.hash), not \(wanted.length) \(wanted.hash)")
    }
    return pass
  }

  /// Passes if the condition holds.
  static func holds(_ condition: Bool, _ otherwise: String) -> Self {
    condition ? .property : .failed(otherwise)
  }
}
