/// What the command line asks for.
struct Invocation {
  /// A command line that makes no sense.
  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  enum Form {
    case lines
    case markdown
    case comparison(path: String)
  }

  var names: [String] = []
  var settings = Settings()
  var form = Form.lines
  var repetitions = 1
  var ownResults: String?
  var wantsHelp = false
  var wantsList = false
  var wantsAll = false

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        names.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let inline = parts.count == 2 ? String(parts[1]) : nil
      try take(String(parts[0]), inline: inline, from: &rest)
    }
    if settings.trace == "-", wantsAll || names.count > 1 || repetitions > 1 {
      throw Misuse(description: "'--trace -' can be read once only: name one workload")
    }
  }

  private mutating func take(
    _ option: String, inline: String?, from rest: inout ArraySlice<String>
  ) throws {
    func value() throws -> String {
      guard let value = inline ?? rest.popFirst() else {
        throw Misuse(description: "\(option) needs a value")
      }
      return value
    }
    switch option {
    case "--help": wantsHelp = true
    case "--list": wantsList = true
    case "--all": wantsAll = true
    case "--markdown": form = .markdown
    case "--compare": form = .comparison(path: try value())
    case "--from": ownResults = try value()
    case "--trace": settings.trace = try value()
    case "--repeat":
      let text = try value()
      guard let count = Int(text), count > 0 else {
        throw Misuse(description: "--repeat needs a number from 1, not '\(text)'")
      }
      repetitions = count
    case "--cap":
      let text = try value()
      guard let seconds = Double(text), seconds > 0 else {
        throw Misuse(description: "--cap needs seconds, not '\(text)'")
      }
      settings.cap = seconds
    default: throw Misuse(description: "unknown option '\(option)'")
    }
  }

  /// The workloads that were named, or all of them; those that need a trace only with one.
  func workloads() throws -> [Workload] {
    if wantsAll { return Workload.all.filter { !$0.needsTrace || settings.trace != nil } }
    return try names.map { name in
      guard let workload = Workload.all.first(where: { $0.answers(to: name) }) else {
        throw Misuse(description: "no workload '\(name)'; --list shows all")
      }
      return workload
    }
  }
}
