extension String {
  /// The text, or as much of it as so many characters hold, with a mark that there is more.
  func shortened(to count: Int) -> String {
    self.count <= count ? self : prefix(count - 1) + "…"
  }
}

extension [String] {
  /// The words as a sentence lists them, the first of them if there are many.
  ///
  ///     ["a", "b", "c", "d"].listed(upTo: 2)  // "a, b and 2 more"
  func listed(upTo count: Int) -> String {
    let shown = prefix(count).joined(separator: ", ")
    return self.count <= count ? shown : "\(shown) and \(self.count - count) more"
  }

  /// The words, or the first of them and how many more there are.
  ///
  ///     ["a", "b", "c", "d"].shortened(to: 2)  // ["a", "b", "and 2 more"]
  func shortened(to count: Int) -> [String] {
    self.count <= count ? self : prefix(count) + ["and \(self.count - count) more"]
  }
}
