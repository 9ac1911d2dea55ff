/// How a drag near the edges scrolls the list.
struct Scrolling: Hashable, Sendable {
  /// The edge in whose band the pointer is.
  enum Edge: Hashable, Sendable {
    case top
    case bottom
  }

  /// A band that does not scroll yet, because the item was lifted in it.
  struct Rest: Hashable, Sendable {
    let edge: Edge
    let depth: Double
  }

  /// How far towards the edge a pointer wakes a band that rests.
  static let wakeDistance = 10.0

  var edge: Edge?
  var enteredAt: Int64 = 0
  var lastTick: Int64 = 0
  var rest: Rest?

  /// The edge whose band a height is in, and how deep.
  static func band(
    at y: Double, viewportHeight: Double, profile: AutoScroll
  ) -> (edge: Edge, depth: Double)? {
    let band = profile.band(viewportHeight: viewportHeight)
    let top = band - y
    let bottom = y - (viewportHeight - band)
    if band > 0, top > 0 { return (.top, top) }
    if band > 0, bottom > 0 { return (.bottom, bottom) }
    return nil
  }
}
