extension Workload {
  /// All workloads in the order of the listing.
  static let all: [Workload] =
    keyGrowth + typingKeys
}
