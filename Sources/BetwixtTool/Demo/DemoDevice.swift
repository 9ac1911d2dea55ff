import Betwixt

/// One device of the demo: its copy of the trip, its identity as a writer, and its diary.
struct DemoDevice: ~Copyable {
  /// 2026-06-01T08:00:00Z, when both devices go offline.
  private static let start: Int64 = 1_780_300_800_000

  /// What the device is called.
  let name: String

  /// The device's copy of the trip.
  var list: ReplicatedList

  /// What was done on it, in words.
  private(set) var diary: [String] = []

  private var me: Replica

  /// Gives a device a copy, and an identity that is the same in every run of the demo.
  init(name: String, id: UInt64, list: ReplicatedList) {
    self.name = name
    self.list = list
    me = Replica(id: ReplicaID(rawValue: id)) { DemoDevice.start }
  }

  /// Sets the device's clock and notes what is done now.
  private mutating func at(minute: Int64, _ sentence: String) {
    me = Replica(id: me.id, sequence: me.sequence) { DemoDevice.start + minute * 60_000 }
    diary.append(sentence)
  }
}

/// Items of the demo's trip that are edited.
private enum Known {
  static let dinner = ItemID(high: 0x218b_79ae_55a5_53ba, low: 0x87a4_a692_94a5_e147)
  static let lunch = ItemID(high: 0xbd1f_11e4_a9d1_56ec, low: 0x8acb_5cdc_6b17_0fb9)
  static let decision = ItemID(high: 0x5a3b_8963_6c02_53a9, low: 0x9f05_406f_308f_11c5)
  static let museum = ItemID(high: 0x4a88_dfb8_a704_5861, low: 0x8ecd_3cdc_0061_67d2)
  static let walk = ItemID(high: 0x44c1_a345_7749_547f, low: 0x991d_e140_ac09_5f30)
}

extension DemoDevice {
  /// What happens on the phone.
  mutating func editAsPhone() throws(EditFailure) {
    at(minute: 5, "day 3: renames “Dinner” to “Dinner at the harbor”")
    try list.set("title", of: Known.dinner, to: "Dinner at the harbor", by: &me)

    at(minute: 10, "day 4: adds “Pike Place Market” and “Ferry to Bainbridge” before lunch")
    try list.insert(
      ["kind": "custom", "title": "Pike Place Market"], before: Known.lunch, by: &me)
    try list.insert(
      ["kind": "custom", "title": "Ferry to Bainbridge"], before: Known.lunch, by: &me)

    at(minute: 15, "day 6: renames “Decide: stay or fly south” to “Fly south?”")
    try list.set("title", of: Known.decision, to: "Fly south?", by: &me)

    at(minute: 20, "day 12: gives “City walk” a later time")
    try list.set("time", of: Known.walk, to: "11:30", by: &me)

    at(minute: 40, "day 11: moves “Computer History Museum” to the top of day 12")
    try list.move(Known.museum, toOffset: 0, inSection: 12, by: &me)
  }

  /// What happens on the tablet in the same hour.
  mutating func editAsTablet() throws(EditFailure) {
    at(minute: 7, "day 4: adds “Space Needle” and “Chihuly Garden” before lunch")
    try list.insert(["kind": "custom", "title": "Space Needle"], before: Known.lunch, by: &me)
    try list.insert(["kind": "custom", "title": "Chihuly Garden"], before: Known.lunch, by: &me)

    at(minute: 12, "day 6: notes at “Decide: stay or fly south”: until 14:00")
    try list.set("note", of: Known.decision, to: "until 14:00", by: &me)

    at(minute: 25, "day 12: deletes “City walk”")
    try list.remove(Known.walk, by: &me)

    at(minute: 30, "day 3: renames “Dinner” to “Late dinner”")
    try list.set("title", of: Known.dinner, to: "Late dinner", by: &me)

    at(minute: 35, "day 11: moves “Computer History Museum” behind lunch")
    try list.move(Known.museum, toOffset: 2, inSection: 11, by: &me)
  }
}
