// Lays the parts of an engine apart, so that what is alike stands together: all instructions, all
// numbers of locals, all constants. What packs bytes by what they followed finds more to go by.
//
//     arrange ENGINE OUTPUT     prints where its code starts and ends, and the sizes of the streams
//
// `page-0-engine.js` puts it together again, and walks through functions in the same way. A walk that
// took an instruction for another would cost bytes only: both would.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

struct Arranger {
  enum Stream: Int, CaseIterable {
    /// What is not code, and what stands in code and in no other.
    case outside, main
    /// Sizes and locals of functions.
    case heads
    /// Locals that are read, and that are written.
    case reads, writes
    case branches, constants, wideConstants, offsets
  }

  private let engine: [UInt8]
  private var place = 0
  private(set) var code = 0..<0
  private(set) var streams = [[UInt8]](repeating: [], count: Stream.allCases.count)
  // Locals by when a function last named them; where none of them was named, each is at its number.
  private var recent = (0...Int(UInt16.max)).map { $0 }
  private var named = 0

  init(_ engine: [UInt8]) {
    self.engine = engine
    code = findCode()
    place = 0
    while place < code.lowerBound { byte(.outside) }
    while place < code.upperBound { function() }
    while place < engine.count { byte(.outside) }
  }

  // MARK: Bytes

  @discardableResult
  private mutating func byte(_ stream: Stream) -> UInt8 {
    let byte = engine[place]
    streams[stream.rawValue].append(byte)
    place += 1
    return byte
  }

  private mutating func readNumber() -> Int {
    var (number, shift) = (0, 0)
    while true {
      let byte = engine[place]
      place += 1
      number |= Int(byte & 127) << shift
      shift += 7
      if byte < 128 { return number }
    }
  }

  @discardableResult
  private mutating func number(_ stream: Stream) -> Int {
    let start = place
    let number = readNumber()
    streams[stream.rawValue].append(contentsOf: engine[start..<place])
    return number
  }

  // MARK: Code

  /// The functions of the section that holds code.
  private mutating func findCode() -> Range<Int> {
    place = 8
    while place < engine.count {
      let kind = engine[place]
      place += 1
      let size = readNumber()
      let end = place + size
      if kind == 10 {
        _ = readNumber()
        return place..<end
      }
      place = end
    }
    return 0..<0
  }

  private mutating func function() {
    for index in 0..<named { recent[index] = index }
    named = 0
    let size = number(.heads)
    let end = place + size
    for _ in 0..<number(.heads) {
      number(.heads)
      byte(.heads)
    }
    while place < end { instruction() }
  }

  private mutating func instruction() {
    switch byte(.main) {
    case 0x20: local(.reads)
    case 0x21, 0x22: local(.writes)
    case 0x0c, 0x0d: number(.branches)
    case 0x41: number(.constants)
    case 0x42: number(.wideConstants)
    case 0x28...0x3e:
      number(.main)
      number(.offsets)
    case 0x02...0x04, 0x10, 0x23, 0x24, 0x3f, 0x40: number(.main)
    case 0x11: for _ in 0..<2 { number(.main) }
    case 0x0e: for _ in 0...number(.main) { number(.main) }
    case 0x43: for _ in 0..<4 { byte(.main) }
    case 0x44: for _ in 0..<8 { byte(.main) }
    case 0xfc:
      // Memory is copied, or filled.
      let operation = number(.main)
      for _ in 0..<(operation == 10 ? 2 : operation == 11 ? 1 : 0) { number(.main) }
    default: break
    }
  }

  /// A local is written as how many others were named since.
  private mutating func local(_ stream: Stream) {
    let local = readNumber()
    var rank = 0
    while recent[rank] != local { rank += 1 }
    for index in stride(from: rank, to: 0, by: -1) { recent[index] = recent[index - 1] }
    recent[0] = local
    named = max(named, rank + 1)
    var rest = rank
    while rest > 127 {
      streams[stream.rawValue].append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    streams[stream.rawValue].append(UInt8(rest))
  }
}

@main
enum Arrange {
  static func main() {
    let names = CommandLine.arguments
    guard names.count == 3, let engine = read(names[1]) else { exit(1) }
    let arranger = Arranger(engine)
    guard write(arranger.streams.flatMap { $0 }, to: names[2]) else { exit(1) }
    let numbers =
      [arranger.code.lowerBound, arranger.code.upperBound] + arranger.streams.map(\.count)
    print(numbers.map { "\($0)" }.joined(separator: ", "))
  }

  private static func read(_ name: String) -> [UInt8]? {
    guard let file = fopen(name, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }

  private static func write(_ bytes: [UInt8], to name: String) -> Bool {
    guard let file = fopen(name, "wb") else { return false }
    let count = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && count == bytes.count
  }
}
