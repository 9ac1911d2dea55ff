/// The plain model of a list: elements in chunks, so that an edit of a million elements costs a
/// few microseconds and results can be checked at any point of a run.
struct ChunkedOrder<Element> {
  private var chunks: [[Element]] = []
  private static var chunkSize: Int { 1024 }

  init() {}

  init(_ elements: some Collection<Element>) {
    var rest = elements[...]
    while !rest.isEmpty {
      chunks.append(Array(rest.prefix(Self.chunkSize)))
      rest = rest.dropFirst(Self.chunkSize)
    }
  }

  var count: Int { chunks.reduce(0) { $0 + $1.count } }

  var elements: [Element] { chunks.flatMap(\.self) }

  subscript(index: Int) -> Element {
    get {
      let (chunk, offset) = locate(index)
      return chunks[chunk][offset]
    }
    set {
      let (chunk, offset) = locate(index)
      chunks[chunk][offset] = newValue
    }
  }

  mutating func insert(_ element: Element, at index: Int) {
    guard !chunks.isEmpty else { return chunks.append([element]) }
    let (chunk, offset) = locate(index)
    chunks[chunk].insert(element, at: offset)
    if chunks[chunk].count > 2 * Self.chunkSize {
      chunks.insert(Array(chunks[chunk].suffix(Self.chunkSize)), at: chunk + 1)
      chunks[chunk].removeLast(Self.chunkSize)
    }
  }

  mutating func remove(at index: Int) -> Element {
    let (chunk, offset) = locate(index)
    let element = chunks[chunk].remove(at: offset)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    return element
  }

  /// The chunk and the offset in it; the place behind the last element is in the last chunk.
  private func locate(_ index: Int) -> (chunk: Int, offset: Int) {
    var rest = index
    for chunk in chunks.indices.dropLast() {
      if rest < chunks[chunk].count { return (chunk, rest) }
      rest -= chunks[chunk].count
    }
    return (chunks.count - 1, rest)
  }
}

extension ChunkedOrder<String> {
  mutating func apply(_ operation: ListOperation) {
    switch operation {
    case .insert(let index, let value): insert(value, at: index)
    case .delete(let index): _ = remove(at: index)
    case .set(let index, let value): self[index] = value
    case .move(let source, let target): insert(remove(at: source), at: target)
    }
  }
}
