extension String {
  /// The text as one word of a command line that a message advises: to be read, and to be copied.
  ///
  /// Such a line stands in single quotes, so that double ones are easier to read in it.
  ///
  ///     "rome.trip".shellWord  // rome.trip
  ///     "my trip".shellWord    // "my trip"
  package var shellWord: String {
    let text = printable
    let plain = Set("-_./:,=+@%")
    guard text.isEmpty || !text.allSatisfy({ $0.isLetter || $0.isNumber || plain.contains($0) })
    else { return text }
    guard text.contains(where: { "$`\"\\!".contains($0) }) else { return "\"\(text)\"" }
    return ShellLine.quoted(text)
  }

  /// The same for the name of a file, which is no option whatever it begins with.
  ///
  ///     "-g.trip".shellPath  // ./-g.trip
  package var shellPath: String {
    let isOption = utf8.first == UInt8(ascii: "-") && utf8.count > 1
    return (isOption ? "./\(self)" : self).shellWord
  }
}
