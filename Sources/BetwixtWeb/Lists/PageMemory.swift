#if arch(wasm32)

/// What a page and its memory share: a run of bytes for the request, one for the answer.
///
/// A page that calls has these functions and no others, and this module calls nobody. Pointers are
/// used here and nowhere else; what comes through them is copied before it is looked at.
package final class PageMemory {
  private let page: ([UInt8]) -> [UInt8]
  private var input: [UInt8] = []
  private var output: [UInt8] = []

  /// Makes the memory of a page whose requests are answered so.
  package init(_ page: @escaping ([UInt8]) -> [UInt8]) { self.page = page }

  /// The memory as a page names it; it is kept for as long as the page is there.
  package var handle: UnsafeMutableRawPointer {
    unsafe Unmanaged.passRetained(self).toOpaque()
  }

  fileprivate func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    input = [UInt8](repeating: 0, count: count)
    return unsafe input.withUnsafeMutableBufferPointer { bytes in bytes.baseAddress }
  }

  fileprivate func answer() -> UnsafePointer<UInt8>? {
    output = page(input)
    input = []
    return unsafe output.withUnsafeBufferPointer { bytes in bytes.baseAddress }
  }

  fileprivate var answerCount: Int { output.count }
}

extension PageMemory {
  fileprivate static func at(_ handle: UnsafeMutableRawPointer) -> PageMemory {
    unsafe Unmanaged<PageMemory>.fromOpaque(handle).takeUnretainedValue()
  }
}

/// Makes the memory of a page of lists.
@_cdecl("betwixt_lists")
package func makeLists() -> UnsafeMutableRawPointer {
  var bridge = Bridge(startingSessions: nil)
  return unsafe PageMemory { request in bridge.answer(request) }.handle
}

/// Makes the memory of a page of lists and their conversations.
@_cdecl("betwixt_sync")
package func makeListsAndSessions() -> UnsafeMutableRawPointer {
  var bridge = Bridge()
  return unsafe PageMemory { request in bridge.answer(request) }.handle
}

/// Where the page is to write a request of so many bytes.
@_cdecl("betwixt_reserve")
package func reserve(
  _ handle: UnsafeMutableRawPointer, count: Int
) -> UnsafeMutablePointer<UInt8>? {
  unsafe PageMemory.at(handle).reserve(count)
}

/// Answers what was written.
@_cdecl("betwixt_call")
package func call(_ handle: UnsafeMutableRawPointer) -> UnsafePointer<UInt8>? {
  unsafe PageMemory.at(handle).answer()
}

/// How many bytes the answer has.
@_cdecl("betwixt_count")
package func count(_ handle: UnsafeMutableRawPointer) -> Int {
  unsafe PageMemory.at(handle).answerCount
}

#endif
