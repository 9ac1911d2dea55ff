import Betwixt
import BetwixtSync
import BetwixtWeb
import BetwixtWebTrips
import Foundation

/// Requests of seeded programs with their answers, for a comparison with another build.
///
///     WebPrograms 1000 > programs     each step: the lengths of both, four bytes each, and both
///     WebPrograms --measure           milliseconds that 10,000 insertions and their digest take
///
/// A step of no bytes starts a program.
@main enum WebPrograms {
  static func main() {
    let word = CommandLine.arguments.dropFirst().first ?? "10"
    if word == "--measure" { return measure() }
    var output = Data()
    for seed in 1...max(UInt64(word) ?? 10, 1) {
      append([], [], to: &output)
      for step in Program(seed: seed, length: 60).steps {
        append(step.request, step.answer, to: &output)
      }
    }
    FileHandle.standardOutput.write(output)
  }

  private static func append(_ request: [UInt8], _ answer: [UInt8], to output: inout Data) {
    for count in [request.count, answer.count] {
      for shift in stride(from: 24, through: 0, by: -8) {
        output.append(UInt8(truncatingIfNeeded: count >> shift))
      }
    }
    output.append(contentsOf: request)
    output.append(contentsOf: answer)
  }

  // Places are those of check-wasm.mjs, so that both do the same.
  private static func measure() {
    var bridge = TripBridge()
    let make = Request(.make, random: 1).adding { bytes in
      for number in [UInt64(7), 1, 2] { bytes.appendBigEndian(number) }
    }
    _ = bridge.answer(make)
    var place: UInt64 = 1
    var requests: [[UInt8]] = []
    for count in 0..<UInt64(10_000) {
      place = (place * 1_103_515_245 + 12_345) % 2_147_483_648
      let offset = UInt32(place % (count + 1))
      requests.append(
        Request(.insert, 1, random: count).adding { bytes in
          bytes.appendOffset(offset)
          bytes.appendVarint(1)
          bytes.appendField("title", .string("item \(count)"))
        })
    }
    let inserting = ContinuousClock().measure {
      for request in requests { _ = bridge.answer(request) }
    }
    var digest: [UInt8] = []
    let digesting = ContinuousClock().measure {
      digest = bridge.answer(Request(.digest, 1, random: 0).bytes)
    }
    print(
      inserting / .milliseconds(1), digesting / .milliseconds(1), Hex.encode(digest.dropFirst()))
  }
}
