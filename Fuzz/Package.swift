// swift-tools-version: 6.2

import PackageDescription

// Long property runs and coverage-guided fuzzing of the package above. It is a package of its own,
// so that nobody who uses the libraries ever builds it.

let testing: [Target.Dependency] = [
  "FuzzSupport",
  .product(name: "Betwixt", package: "betwixt"),
  .product(name: "BetwixtSync", package: "betwixt"),
  .product(name: "BetwixtFiles", package: "betwixt"),
  .product(name: "BetwixtTesting", package: "betwixt"),
]

let package = Package(
  name: "betwixt-fuzz",
  platforms: [
    .macOS(.v15), .macCatalyst(.v18), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2),
  ],
  dependencies: [.package(name: "betwixt", path: "..")],
  targets: [
    .target(
      name: "FuzzSupport",
      dependencies: [.product(name: "BetwixtTesting", package: "betwixt")]),
    .executableTarget(name: "simulate", dependencies: testing),
    .executableTarget(name: "canary", dependencies: testing),
    .executableTarget(name: "exhaust", dependencies: testing),
    .executableTarget(name: "seeds", dependencies: testing),
    .executableTarget(name: "load", dependencies: testing),
  ],
  swiftLanguageModes: [.v6]
)

// With BETWIXT_FUZZER set, the targets of libFuzzer are built too: they have no main function of
// their own, so that without its flags they do not link.
if Context.environment["BETWIXT_FUZZER"] != nil {
  package.targets.append(
    .executableTarget(
      name: "FuzzTargets", dependencies: testing,
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}

// Every target gets the same settings as those of the package above.
for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .strictMemorySafety(),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("ImmutableWeakCaptures"),
    ]
}
