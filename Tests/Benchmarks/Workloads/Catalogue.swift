extension Workload {
  /// All workloads in the order of the listing.
  static let all: [Workload] =
    localEdits + concurrentMerge + snapshots + smallDiffs + typing + typingKeys + keyGrowth
    + memory + forgottenItems + overhead + semantics + largeTrips + drags + hubs + millions
    + millionMerge + millionDocument
}
