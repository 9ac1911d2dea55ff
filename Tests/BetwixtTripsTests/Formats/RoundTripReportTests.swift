import Betwixt
import BetwixtTrips
import Foundation
import Testing

@Suite struct RoundTripReportTests {
  @Test func thereAreSixtyFilesOfTwentyShapes() throws {
    let paths = try RoundTripReport.paths()
    #expect(paths.count >= 60)
    #expect(Set(paths.map { $0.prefix { $0 != "/" } }).count >= 20)
  }

  @Test func theReportIsWhatComesBack() throws {
    let report = try RoundTripReport().text
    let place = RoundTripReport.folder.appendingPathComponent("ROUND-TRIPS.md")
    if ProcessInfo.processInfo.environment["BETWIXT_UPDATE"] != nil {
      try Data(report.utf8).write(to: place)
    }
    #expect(text([UInt8](try Data(contentsOf: place))) == report)
  }

  @Test func everyLossIsNamed() throws {
    for entry in try RoundTripReport().entries {
      let whole = Set(entry.omissions.filter { $0.field == nil }.map { $0.item })
      for item in entry.gone { #expect(whole.contains(item), "\(entry.path): an item is gone") }
      for (item, field) in entry.changed {
        let isNamed = entry.omissions.contains { $0.item == item && $0.field?.text == field }
        #expect(isNamed, "\(entry.path): “\(field)” came back as something else")
      }
    }
  }

  @Test func whatIsTakenInTwiceIsThereOnce() throws {
    for path in try RoundTripReport.paths() {
      let file = try TripFile(decoding: Resources.bytes("formats/\(path)"), name: path)
      let once = try TripImport(file).list
      let twice = try TripImport(file, into: once)
      #expect(twice.counts.added == 0 && twice.counts.updated == 0, "\(path)")
      #expect(twice.list.map { $0.id } == once.map { $0.id }, "\(path)")
    }
  }
}
