// swift-tools-version: 6.2

import PackageDescription

// BETWIXT_CHECKS turns on the invariant checks that follow every mutation of a list. They cost
// O(n) per edit and compile to nothing without the define: swift test -Xswiftc -DBETWIXT_CHECKS

let package = Package(
  name: "betwixt",
  platforms: [
    .macOS(.v15), .macCatalyst(.v18), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2),
  ],
  products: [
    .library(name: "Betwixt", targets: ["Betwixt"]),
    .library(name: "BetwixtSync", targets: ["BetwixtSync"]),
    .library(name: "BetwixtSQL", targets: ["BetwixtSQL"]),
    .library(name: "BetwixtFiles", targets: ["BetwixtFiles"]),
    .library(name: "BetwixtDocument", targets: ["BetwixtDocument"]),
    .library(name: "BetwixtTrips", targets: ["BetwixtTrips"]),
    .library(name: "BetwixtDrag", targets: ["BetwixtDrag"]),
    .library(name: "BetwixtTesting", targets: ["BetwixtTesting"]),
    .executable(name: "betwixt", targets: ["BetwixtTool"]),
  ],
  targets: [
    .target(name: "Betwixt"),
    .target(name: "BetwixtSync", dependencies: ["Betwixt"]),
    .target(name: "BetwixtSQL", dependencies: ["Betwixt", "BetwixtSync"]),
    .target(name: "BetwixtFiles", dependencies: ["Betwixt", "BetwixtSync"]),
    .target(name: "BetwixtDocument", dependencies: ["Betwixt", "BetwixtFiles"]),
    .target(name: "BetwixtTrips", dependencies: ["Betwixt", "BetwixtSync"]),
    .target(name: "BetwixtDrag", dependencies: ["Betwixt", "BetwixtTrips"]),
    .target(
      name: "BetwixtTesting",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtFiles", "BetwixtTrips"]),
    .target(
      name: "BetwixtWeb", dependencies: ["Betwixt", "BetwixtSync"],
      path: "Sources/BetwixtWeb/Lists"),
    .target(
      name: "BetwixtWebTrips",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtTrips", "BetwixtDrag", "BetwixtWeb"],
      path: "Sources/BetwixtWeb/Trips"),
    .executableTarget(
      name: "BetwixtTool",
      dependencies: [
        "Betwixt", "BetwixtSync", "BetwixtSQL", "BetwixtFiles", "BetwixtTrips", "BetwixtDrag",
      ]),
    .testTarget(name: "BetwixtTests", dependencies: ["Betwixt"], exclude: ["Resources"]),
    .testTarget(
      name: "BetwixtSyncTests", dependencies: ["Betwixt", "BetwixtSync", "TestSupport"]),
    .testTarget(
      name: "BetwixtSQLTests",
      dependencies: [
        "Betwixt", "BetwixtSync", "BetwixtFiles", "BetwixtSQL", "BetwixtTool", "TestSupport",
      ]),
    .testTarget(
      name: "BetwixtFilesTests",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtFiles", "TestSupport"]),
    .testTarget(
      name: "BetwixtDocumentTests",
      dependencies: [
        "Betwixt", "BetwixtFiles", "BetwixtTrips", "BetwixtDrag", "BetwixtDocument", "TestSupport",
      ]),
    .testTarget(
      name: "BetwixtTripsTests",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtFiles", "BetwixtTrips", "TestSupport"],
      exclude: ["Resources"]),
    .testTarget(
      name: "BetwixtDragTests",
      dependencies: ["Betwixt", "BetwixtTrips", "BetwixtDrag", "TestSupport"],
      exclude: ["Resources"]),
    .testTarget(
      name: "BetwixtToolTests",
      dependencies: [
        "Betwixt", "BetwixtSync", "BetwixtFiles", "BetwixtTrips", "BetwixtDrag", "BetwixtTool",
        "TestSupport",
      ]),
    .testTarget(
      name: "BetwixtTestingTests",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtFiles", "BetwixtTrips", "BetwixtTesting"]),
    .testTarget(
      name: "BetwixtWebTests",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtWeb", "BetwixtWebTrips", "WebPrograms"]),
    .executableTarget(
      name: "WebPrograms",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtWeb", "BetwixtWebTrips"],
      path: "Tests/WebPrograms"),
    .target(
      name: "TestSupport", dependencies: ["Betwixt", "BetwixtSync"], path: "Tests/Support"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["Betwixt", "BetwixtSync", "BetwixtFiles", "BetwixtTrips", "BetwixtDrag"],
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
