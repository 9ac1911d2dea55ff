// swift-tools-version: 6.2

import PackageDescription

// BETWIXT_CHECKS turns on the invariant checks that follow every mutation of a list. They cost
// O(n) per edit and compile to nothing without the define: swift test -Xswiftc -DBETWIXT_CHECKS

let package = Package(
  name: "betwixt",
  products: [
    .library(name: "Betwixt", targets: ["Betwixt"]),
    .library(name: "BetwixtSync", targets: ["BetwixtSync"]),
    .library(name: "BetwixtTrips", targets: ["BetwixtTrips"]),
    .library(name: "BetwixtDrag", targets: ["BetwixtDrag"]),
    .library(name: "BetwixtTesting", targets: ["BetwixtTesting"]),
    .executable(name: "betwixt", targets: ["BetwixtTool"]),
  ],
  targets: [
    .target(name: "Betwixt"),
    .target(name: "BetwixtSync", dependencies: ["Betwixt"]),
    .target(name: "BetwixtTrips", dependencies: ["Betwixt"]),
    .target(name: "BetwixtDrag", dependencies: ["Betwixt", "BetwixtTrips"]),
    .target(name: "BetwixtTesting", dependencies: ["Betwixt", "BetwixtSync", "BetwixtTrips"]),
    .executableTarget(
      name: "BetwixtTool",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtTrips", "BetwixtDrag"]),
    .testTarget(name: "BetwixtTests", dependencies: ["Betwixt"], exclude: ["Resources"]),
    .testTarget(name: "BetwixtSyncTests", dependencies: ["Betwixt", "BetwixtSync"]),
    .testTarget(
      name: "BetwixtTripsTests", dependencies: ["Betwixt", "BetwixtSync", "BetwixtTrips"],
      exclude: ["Resources"]),
    .testTarget(
      name: "BetwixtDragTests", dependencies: ["Betwixt", "BetwixtTrips", "BetwixtDrag"],
      exclude: ["Resources"]),
    .testTarget(
      name: "BetwixtToolTests",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtTrips", "BetwixtDrag", "BetwixtTool"]),
    .testTarget(
      name: "BetwixtTestingTests",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtTrips", "BetwixtTesting"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtTrips", "BetwixtDrag"],
      path: "Tests/Benchmarks"),
  ],
  swiftLanguageModes: [.v6]
)

// Every target gets the same settings, so that none can drift.
for target in package.targets {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ]
}
