#if arch(wasm32)

import BetwixtWeb

/// Makes the memory of a page of trips.
@_cdecl("betwixt_trips")
package func makeTrips() -> UnsafeMutableRawPointer {
  var bridge = TripBridge()
  return unsafe PageMemory { request in bridge.answer(request) }.handle
}

#endif
