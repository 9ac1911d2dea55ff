/// How a list scrolls by itself while something is dragged near its edges.
public struct AutoScroll: Hashable, Sendable {
  /// The height of each band, as a part of the viewport.
  public var bandShare: Double

  /// The greatest height of a band.
  public var bandLimit: Double

  /// Points per second from half the band on.
  public var fullSpeed: Double

  /// Milliseconds in the band until it counts in full.
  public var ramp: Int

  /// The height of a band.
  public func band(viewportHeight: Double) -> Double {
    max(0, min(bandShare * viewportHeight, bandLimit))
  }

  /// Points per second.
  ///
  /// - Parameters:
  ///   - depth: How deep the pointer is in a band.
  ///   - inBand: How many milliseconds it has been there.
  ///   - band: The height of the band.
  /// - Returns: A speed of 0 or more, towards the edge.
  public func speed(depth: Double, inBand: Int64, band: Double) -> Double {
    guard depth > 0, band > 0, inBand > 0 else { return 0 }
    let ramping = ramp > 0 ? min(1, Double(inBand) / Double(ramp)) : 1
    return fullSpeed * min(1, min(depth, band) / (band / 2)) * ramping
  }
}
