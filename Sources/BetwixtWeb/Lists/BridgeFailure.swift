import Betwixt
import BetwixtSync

/// Why a request was refused.
package struct BridgeFailure: Error {
  /// A word for programs.
  package let word: String

  /// A sentence for people.
  package let text: String

  package init(_ word: String, _ text: String) {
    self.word = word
    self.text = text
  }

  init(_ failure: EditFailure) { self.init("edit", failure.description) }

  init(_ failure: DecodeFailure) { self.init("bytes", failure.description) }

  init(_ failure: LimitExceeded) { self.init("limit", failure.description) }

  static let unknownHandle = BridgeFailure("handle", "there is no such list or session")

  static let noSessions = BridgeFailure("request", "this engine has lists alone, and no sessions")

  /// The answer that says so.
  package var answer: [UInt8] {
    var output: [UInt8] = [1]
    output.append(text: word)
    output.append(text: text)
    return output
  }
}
