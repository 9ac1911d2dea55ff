import Betwixt
import BetwixtFiles
import BetwixtTrips
import Testing

@Suite struct WorldCupMergeTests {
  @Test(arguments: Copies.trips)
  func orderAndGroupingChangeNoByteWithBase(_ trip: String) throws {
    let base = try Copies.file(trip, "base")
    let devices = try Copies.devices(of: trip)
    let expected = try TripMerge(devices, base: base)
    let bytes = TripJSON.encode(expected.list)
    for order in permutations(devices) {
      let merge = try TripMerge(order, base: base)
      #expect(TripJSON.encode(merge.list) == bytes)
      #expect(merge.report == expected.report)
      #expect(merge.format == .json)
      let pair = try TripMerge(Array(order[..<2]), base: base).list.throughTripJSON()
      let first = TripFile(list: pair, name: "pair.trip.json", format: .tripJSON)
      for regrouped in [[first, order[2]], [order[2], first]] {
        #expect(TripJSON.encode(try TripMerge(regrouped, base: base).list) == bytes)
      }
    }
  }

  @Test(arguments: Copies.trips)
  func orderAndGroupingChangeNoByteWithoutBase(_ trip: String) throws {
    let files = try [Copies.file(trip, "base")] + Copies.devices(of: trip)
    let expected = try TripMerge(files)
    let bytes = TripJSON.encode(expected.list)
    for (number, order) in permutations(files.map { $0.list() }).enumerated() {
      let joined = order.dropFirst().reduce(order[0]) { $0.merging($1) }
      #expect(TripJSON.encode(joined) == bytes)
      guard number % 4 == 0 else { continue }
      let pairs = try order[0].merging(order[1]).throughTripJSON().merging(
        order[2].merging(order[3]))
      #expect(TripJSON.encode(pairs) == bytes)
    }
    for order in [files.reversed(), [files[2], files[0], files[3], files[1]]] {
      #expect(try TripMerge(order).report == expected.report)
      for cut in 1...2 {
        let parts = try [order[..<cut], order[cut...]].map { part in
          TripFile(list: try TripMerge(Array(part)).list.throughTripJSON(), name: "part")
        }
        #expect(TripJSON.encode(try TripMerge(parts).list) == bytes)
      }
    }
  }

  @Test(arguments: Copies.trips)
  func mergingAnInputAgainChangesNothing(_ trip: String) throws {
    let base = try Copies.file(trip, "base")
    let devices = try Copies.devices(of: trip)
    for (base, files) in [(base, devices), (nil, [base] + devices)] {
      let list = try TripMerge(files, base: base).list
      let result = TripFile(list: list, name: "result")
      for file in files {
        let again = try TripMerge([result, file], base: base)
        #expect(TripJSON.encode(again.list) == TripJSON.encode(list))
        #expect(again.report.lostEdits.isEmpty || base == nil)
      }
    }
  }

  @Test(arguments: Copies.trips)
  func noItemIsLostOrDoubled(_ trip: String) throws {
    let base = try Copies.file(trip, "base")
    let devices = try Copies.devices(of: trip)
    func ids(_ file: TripFile) -> Set<ItemID> { Set(file.list().map(\.id)) }
    var expected = ids(base)
    for device in devices { expected.formUnion(ids(device)) }
    let union = try TripMerge([base] + devices).list.map(\.id)
    #expect(union.count == expected.count)
    #expect(Set(union) == expected)
    for device in devices { expected.subtract(ids(base).subtracting(ids(device))) }
    let merged = try TripMerge(devices, base: base).list.map(\.id)
    #expect(merged.count == expected.count)
    #expect(Set(merged) == expected)
  }

  private func lost(_ report: MergeReport) -> [String] {
    report.lostEdits.map {
      "\($0.register) of \($0.label): \($0.lost.sources) lost to \($0.kept.sources)"
    }
  }

  private func removed(_ report: MergeReport) -> [String] {
    report.removedEdits.map {
      "\($0.label): \($0.registers) by \($0.editedBy), removed by \($0.removedBy)"
    }
  }

  private func counts(_ report: MergeReport) -> [String] {
    report.sources.map { "\($0.name) +\($0.added) ~\($0.updated) >\($0.moved) -\($0.removed)" }
  }

  // The edits and collisions are those that Resources/copies/README.md lists.
  @Test func everyCollisionOfFollowMexicoIsReported() throws {
    let merge = try TripMerge(
      Copies.devices(of: "follow-mexico"), base: Copies.file("follow-mexico", "base"))
    #expect(
      lost(merge.report) == [
        #"title of Dinner in Roma Norte: ["tablet.json"] lost to ["phone.json"]"#,
        #"position of Buy presents: ["tablet.json"] lost to ["phone.json"]"#,
      ])
    #expect(
      removed(merge.report) == [
        #"Museo de Historia Mexicana: [note] by ["laptop.json"], removed by ["phone.json"]"#,
        #"Buy presents: [position] by ["phone.json", "tablet.json"], removed by ["laptop.json"]"#,
      ])
    #expect(
      counts(merge.report) == [
        "laptop.json +1 ~3 >1 -1", "phone.json +2 ~1 >1 -1", "tablet.json +2 ~1 >1 -1",
      ])
    #expect(merge.report.hasConflicts)
    let museum = try #require(merge.report.removedEdits.first)
    #expect(museum.json.contains(#""note":"Closed on Mondays: go before 18:00""#))
    #expect(merge.report.lines.count == 7)
    #expect(merge.report.jsonLines.count == 7)
    for line in merge.report.jsonLines { _ = try JSONScanner.scan(Array(line.utf8)) }
  }

  @Test func everyCollisionOfEastCoastIsReported() throws {
    let merge = try TripMerge(
      Copies.devices(of: "east-coast-june"), base: Copies.file("east-coast-june", "base"))
    #expect(
      lost(merge.report) == [
        #"position of Day trip to Cape Cod: ["phone.json"] lost to ["laptop.json"]"#
      ])
    #expect(
      removed(merge.report) == [
        #"Pancakes: [title] by ["laptop.json"], removed by ["tablet.json"]"#,
        "Dinner at Reading Terminal Market: [title] by [\"laptop.json\"], "
          + "removed by [\"phone.json\"]",
        #"Harbor walk: [position] by ["phone.json", "tablet.json"], removed by ["laptop.json"]"#,
      ])
    #expect(
      counts(merge.report) == [
        "laptop.json +1 ~1 >2 -1", "phone.json +1 ~2 >0 -1", "tablet.json +2 ~1 >1 -1",
      ])
  }

  @Test func editsOfDifferentFieldsSurviveTogether() throws {
    let merge = try TripMerge(
      Copies.devices(of: "follow-mexico"), base: Copies.file("follow-mexico", "base"))
    let leg = try #require(
      merge.list[id: ForeignIdentity.item("1766f6a5-2a12-5dd7-94d3-61a21bc23617")])
    #expect(leg.section == 4)
    #expect(leg.key?.approximateSortOrder == -3)
    #expect(leg["mode"] == "bus")
    #expect(leg["durationMin"] == 690)
    #expect(leg["distanceKm"] == 716.7)
    #expect(Trip(merge.list).name == "Follow Mexico, all the way")
    let titles = merge.list[merge.list.indices(inSection: 2)].map { $0["title"]?.string ?? "" }
    #expect(titles.first == "Lunch")
    #expect(titles.last == "Museo Nacional de Antropología")
    #expect(titles.dropFirst().dropLast().count == 3)
  }

  @Test func aFileOfAnotherTripIsRefusedAtItsID() throws {
    let mexico = try Copies.file("follow-mexico", "base")
    let coast = try Copies.file("east-coast-june", "base")
    let failure = #expect(throws: DocumentFailure.self) { try TripMerge([mexico, coast]) }
    #expect(failure?.reason == .wrongTrip)
    #expect(failure?.place == .text(line: 3, column: 6))
    #expect(failure?.file == "base.json")
    let text = failure?.text ?? ""
    for trip in [mexico, coast] {
      let name = try #require(Trip(trip.list()).name)
      #expect(text.contains("“\(name)” (\(trip.listID.uuid))"), "\(text)")
    }
    #expect(text.hasSuffix("its items can be taken over as CSV"))
    #expect(throws: DocumentFailure.self) { try TripMerge([mexico], base: coast) }
    #expect(throws: DocumentFailure.self) { try TripImport(mexico, into: coast.list()) }
    #expect(throws: DocumentFailure.self) { try TripImport(mexico, base: coast) }
  }
}
