/// Sums the SHA-256 of many short messages, four at a time where that is faster.
///
/// Messages wait until there are four of one length; the sum does not care for their order.
struct EntryHasher {
  // Padded messages, one behind the other.
  private var bytes: [UInt8] = []
  // Where messages of one, two, … blocks start that are not in the sum yet, and how many.
  private var starts: [SIMD4<Int>]
  private var waiting: [Int]
  private var sum = EntrySum()

  #if arch(wasm32)
  // A constant, so that the code for lanes is not part of a page.
  private var usesLanes: Bool { false }
  #else
  private let usesLanes: Bool
  #endif

  // Longer messages are hashed alone.
  private static let longest = 4

  /// Whether four at a time are faster: not without optimization, where each operation of a vector
  /// is a call, and not in WebAssembly without vectors, where 32 words do not fit into registers.
  #if DEBUG || arch(wasm32)
  static let isOptimized = false
  #else
  static let isOptimized = true
  #endif

  init(usesLanes: Bool = EntryHasher.isOptimized) {
    #if !arch(wasm32)
    self.usesLanes = usesLanes
    #endif
    starts = Array(repeating: SIMD4(), count: EntryHasher.longest)
    waiting = Array(repeating: 0, count: EntryHasher.longest)
  }

  /// Takes a message; `write` appends its bytes.
  @inline(__always)
  mutating func add(_ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    let count = bytes.count - start
    let blockCount = (count + 9 + 63) / 64
    bytes.append(0x80)
    bytes.append(contentsOf: repeatElement(0, count: blockCount * 64 - 9 - count))
    bytes.appendBigEndian(UInt64(count) * 8)
    guard usesLanes, blockCount <= EntryHasher.longest else {
      var state = SHA256.initial
      state.absorb(bytes, from: start, blockCount: blockCount)
      sum.add(state)
      bytes.removeLast(bytes.count - start)
      return
    }
    let kind = blockCount - 1
    starts[kind][waiting[kind]] = start
    waiting[kind] += 1
    if waiting[kind] == 4 { hash(kind) }
  }

  private mutating func hash(_ kind: Int) {
    // Lanes without a message of their own repeat the first one and are left out.
    for lane in waiting[kind]..<4 { starts[kind][lane] = starts[kind][0] }
    let lanes = SHA256Lanes.digests(of: bytes, at: starts[kind], blockCount: kind + 1)
    for lane in 0..<waiting[kind] { sum.add(lanes[lane]) }
    waiting[kind] = 0
    // Nothing is needed any more where none waits; each waiting message is kept by its start.
    if waiting.allSatisfy({ $0 == 0 }) { bytes.removeAll(keepingCapacity: true) }
  }

  /// The sum of the SHA-256 of all messages.
  consuming func finish() -> EntrySum {
    guard usesLanes else { return sum }
    for kind in waiting.indices where waiting[kind] > 0 { hash(kind) }
    return sum
  }
}
