/// The results that every implementation of the workloads must reach.
enum Expected {
  static let w1 = Content(length: 100_000, hash: "a4e1ddfa982e675c")
  static let w1b = Content(length: 100_000, hash: "aabfbb822de5f19e")
  static let w2 = Content(length: 100_000, hash: "b10b35ea75f8dd55")
  static let w3a = Content(length: 10_000, hash: "18bde1a336e2b6ff")
  static let w3b = Content(length: 100_000, hash: "f1780cfee2fe95c9")

  /// The ten forks before the merge.
  static let w4Offline = [
    "497af1e32526a6b9", "793bcdc935576442", "e34e61e339512458", "52763306469155ed",
    "9a9791debd1e8ab7", "be2189017fc436bd", "4a2530db80cc7af1", "c99a921a111aa7ec",
    "ffd8ce8602e76b9b", "97481a60219b3ab9",
  ].map { Content(length: 10_000, hash: $0) }

  /// The merged length where a removed item stays removed whatever else is done to it.
  static let w4MergedLength = 10_050

  static let w6Left = Content(length: 100_000, hash: "dccb0287463430d2")
  static let w6Right = Content(length: 100_000, hash: "8e9d7488595f017d")
  static let w6hLeft = Content(length: 100_000, hash: "17c92681cbe17aaf")
  static let w6hRight = Content(length: 100_000, hash: "ea2f920827e54301")
  static let w7 = Content(length: 104_852, hash: "4522317a4b26d16a")
  static let w7PatchCount = 259_778
}
