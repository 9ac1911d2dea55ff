import Betwixt
import BetwixtSync
import BetwixtWeb
import BetwixtWebTrips

/// A seeded run of requests: two copies of a list that are edited, merged, shown and written as files,
/// and bytes that are no requests.
package struct Program {
  private var random: UInt64
  private var bridge = TripBridge()
  private var items: [ItemID] = []
  private var now: Int64

  /// The requests in order, and what they were answered.
  package private(set) var steps: [(request: [UInt8], answer: [UInt8])] = []

  package init(seed: UInt64, length: Int) {
    random = seed
    // Every second one runs in 2040, whose seconds an integer of 32 bits does not hold.
    now = seed.isMultiple(of: 2) ? 2_212_000_000_000 : 1_780_000_000_000
    let list = next()
    for replica in 1...2 {
      ask(
        Request(.make, now: now, random: next()).adding { bytes in
          bytes.appendBigEndian(UInt64(replica) << 32 | seed)
          bytes.appendBigEndian(list)
          bytes.appendBigEndian(list ^ 1)
        })
    }
    for _ in 0..<length { step() }
    exchange()
    exchange()
  }

  /// The digests of both copies after all.
  package mutating func digests() -> ([UInt8], [UInt8]) {
    (
      ask(Request(.digest, 1, now: now, random: 0).bytes),
      ask(Request(.digest, 2, now: now, random: 0).bytes)
    )
  }

  private mutating func next() -> UInt64 {
    random &+= 0x9e37_79b9_7f4a_7c15
    var word = (random ^ random >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  private mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  @discardableResult
  private mutating func ask(_ request: [UInt8]) -> [UInt8] {
    let answer = bridge.answer(request)
    steps.append((request, answer))
    return answer
  }

  private mutating func request(_ operation: Operation, _ handle: UInt64) -> Request {
    now += Int64(next(below: 3)) * 500
    return Request(operation, handle, now: now, random: next())
  }

  private mutating func item() -> ItemID {
    items.isEmpty ? ItemID(high: next(), low: 1) : items[next(below: items.count)]
  }

  private mutating func step() {
    let handle = UInt64(1 + next(below: 2))
    switch next(below: 15) {
    case 0...3: insert(handle)
    case 4, 5: move(handle)
    case 6, 7: set(handle)
    case 8: life(.remove, handle)
    case 9: life(.restore, handle)
    case 10: ask(request(next(below: 3) == 0 ? .redo : .undo, handle).bytes)
    case 11: exchange()
    case 12: look(handle)
    case 13: useFiles(handle)
    default: noise(handle)
    }
  }

  private mutating func insert(_ handle: UInt64) {
    let section = Int64(next(below: 3))
    let offset = UInt32(next(below: 4))
    let number = next()
    let answer = ask(
      request(.insert, handle).adding { bytes in
        if number % 3 == 0 {
          bytes.append(1)
          bytes.appendZigzag(section)
        } else {
          bytes.appendOffset(offset, section: section)
        }
        bytes.appendVarint(3)
        bytes.appendField("title", .string("Ünïcode \(number % 100)"))
        bytes.appendField("kind", number % 2 == 0 ? "custom" : "travel")
        bytes.appendField("size", number % 5 == 0 ? .double(Double(number)) : .int64(Int64(offset)))
      })
    var reader = Reader(answer)
    if answer.count == 17, (try? reader.byte()) == 0, let item = try? reader.item() {
      items.append(item)
    }
  }

  private mutating func move(_ handle: UInt64) {
    let (item, other) = (item(), item())
    let way = next(below: 4)
    let offset = UInt32(next(below: 5))
    ask(
      request(.move, handle).adding { bytes in
        bytes.append(item)
        switch way {
        case 0: bytes.appendOffset(offset)
        case 1:
          bytes.append(1)
          bytes.appendZigzag(1)
        default:
          bytes.append(UInt8(way))
          bytes.append(other)
        }
      })
  }

  private mutating func set(_ handle: UInt64) {
    let item = next(below: 6) == 0 ? ItemID.root : item()
    let number = next()
    ask(
      request(.set, handle).adding { bytes in
        bytes.append(item)
        bytes.appendVarint(1)
        switch number % 4 {
        case 0: bytes.appendField("title", nil)
        case 1: bytes.appendField("done", .bool(number % 8 < 4))
        case 2: bytes.appendField("photo", .bytes([UInt8](repeating: 7, count: Int(number % 40))))
        default: bytes.appendField("title", .string("Title \(number % 9)"))
        }
      })
  }

  private mutating func life(_ operation: Operation, _ handle: UInt64) {
    let item = item()
    ask(request(operation, handle).adding { $0.append(item) })
  }

  private mutating func look(_ handle: UInt64) {
    ask(request(.items, handle).adding { $0 += [0, 100] })
    ask(request(.removed, handle).bytes)
    ask(request(.digest, handle).bytes)
    ask(request(.save, handle).bytes)
    ask(Request(number: TripOperation.rows.rawValue, handle, now: now, random: 0).bytes)
    let item = item()
    ask(request(.item, handle).adding { $0.append(item) })
    ask(request(.index, handle).adding { $0.append(item) })
  }

  /// Writes a file of each format, and opens one of numbers that no number is as great as.
  private mutating func useFiles(_ handle: UInt64) {
    ask(
      request(.set, handle).adding { bytes in
        bytes.append(ItemID.root)
        bytes.appendVarint(1)
        bytes.appendField("startDate", "2040-02-01")
      })
    func trip(_ operation: TripOperation) -> Request {
      Request(number: operation.rawValue, handle, now: now, random: 0)
    }
    for ending in ["json", "trip.json", "ics", "csv", "md", "gpx"] {
      ask(trip(.export).adding { $0.append(text: ending) })
    }
    ask(
      trip(.losses).adding { bytes in
        bytes.append(text: "Phone")
        bytes.append(text: "Tablet")
      })
    let numbers = ["1e2147483648", "0e9999999999", "-1e-99999999999", "1e1073741824"]
    let number = numbers[next(below: 4)]
    let writer = next()
    for text in [number, #"{"days":1,"items":[{"day":1,"size":\#(number)}]}"#] {
      ask(
        trip(.open).adding { bytes in
          bytes.appendBigEndian(writer)
          bytes.append(text: "numbers.json")
          bytes.append(text: text)
        })
    }
  }

  private mutating func exchange() {
    for (from, to) in [(UInt64(1), UInt64(2)), (2, 1)] {
      let known = ask(request(.version, to).bytes).dropFirst()
      let delta = ask(request(.delta, from).adding { $0 += known }).dropFirst()
      var sent = Array(delta)
      if next(below: 4) == 0, !sent.isEmpty { sent[next(below: sent.count)] ^= 1 }
      let bytes = sent
      ask(request(.merge, to).adding { $0.append(run: bytes) })
      if bytes != Array(delta) {
        ask(request(.merge, to).adding { $0.append(run: delta) })
      }
    }
  }

  /// What no page sends.
  private mutating func noise(_ handle: UInt64) {
    guard let last = steps.last?.request else { return }
    var bytes = last
    switch next(below: 3) {
    case 0: bytes.removeLast(1 + next(below: bytes.count))
    case 1:
      // Of another time a write would wait until the other copy's clock is there.
      let place = next(below: bytes.count)
      if !(2..<8).contains(place) { bytes[place] ^= UInt8(1 << next(below: 8)) }
    default: bytes.append(0)
    }
    // A list that is closed or opened changes what the rest means.
    guard let first = bytes.first, first != Operation.close.rawValue, first > 2 else { return }
    ask(bytes)
  }
}
