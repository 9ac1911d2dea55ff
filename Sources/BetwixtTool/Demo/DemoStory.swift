import Betwixt
import BetwixtTrips

/// The demo from beginning to end: a trip, two copies of it, and what merging them gives.
struct DemoStory {
  /// The trip before anyone edits it.
  let base: TripFile

  /// The phone's copy, edited.
  let phone: TripFile

  /// The tablet's copy, edited.
  let tablet: TripFile

  /// Both, merged on the phone.
  let merged: ReplicatedList

  /// Both, merged on the tablet.
  let mergedOnTablet: ReplicatedList

  /// What the merge has to say.
  let report: MergeReport

  /// What was done on each device, in words.
  let diaries: (phone: [String], tablet: [String])

  /// Plays the story, which is the same every time: it uses nothing but the built-in trip.
  ///
  /// - Throws: An error of the library, which would be a fault of the demo.
  init() throws {
    base = try TripFile(decoding: Array(DemoTrip.json.utf8), name: "base")
    var phone = DemoDevice(name: "phone", id: 0x0f0e_0000_0000_0001, list: base.list())
    var tablet = DemoDevice(name: "tablet", id: 0x7ab1_0000_0000_0002, list: base.list())
    try phone.editAsPhone()
    try tablet.editAsTablet()
    diaries = (phone.diary, tablet.diary)
    self.phone = TripFile(list: phone.list, name: phone.name, format: .tripJSON)
    self.tablet = TripFile(list: tablet.list, name: tablet.name, format: .tripJSON)

    let merge = try TripMerge([self.phone, self.tablet])
    merged = merge.list
    report = merge.report
    tablet.list.merge(phone.list)
    mergedOnTablet = tablet.list
  }
}
