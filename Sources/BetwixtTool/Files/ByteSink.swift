/// Something that bytes are written to, such as standard output.
package protocol ByteSink {
  /// Whether a person reads along.
  var isTerminal: Bool { get }

  /// Writes all of the bytes.
  func write(_ bytes: [UInt8]) throws(SystemError)
}
