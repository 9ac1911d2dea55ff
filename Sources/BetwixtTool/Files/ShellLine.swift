import BetwixtFiles

/// Another program that is run to its end.
enum ShellLine {
  /// Runs a line of the shell; its messages go where ours do.
  ///
  /// - Parameter line: The line; what comes from elsewhere in it is quoted with ``quoted(_:)``.
  /// - Returns: Its exit code, `nil` if a signal ended it, and what it wrote to standard output, a
  ///   text as `PathText` makes it: paths are no UTF-8 everywhere.
  /// - Throws: ``SystemError`` if there is no shell.
  static func run(_ line: String) throws(SystemError) -> (code: Int32?, output: String) {
    let process = try PeerProcess(line)
    var bytes: [UInt8] = []
    while let part = try? Descriptor(number: process.output).readSome(), !part.isEmpty {
      bytes += part
    }
    return (process.finish(), PathText.text(bytes))
  }

  /// A text as one word of the shell.
  ///
  ///     ShellLine.quoted("it's")  // 'it'\''s'
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
