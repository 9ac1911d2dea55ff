import Betwixt

extension Device {
  /// The name of a field by number.
  static func field(_ number: Int) -> FieldName {
    FieldName("field \(number)") ?? "field"
  }

  /// Values of all kinds, some equal as text and different as bytes.
  static func value(_ payload: Int) -> FieldValue {
    switch payload % 8 {
    case 0: .string("")
    case 1: .string("caf\u{e9}")
    case 2: .string("cafe\u{301}")
    case 3: .double(payload % 16 < 8 ? .nan : -0.0)
    case 4: .int64(Int64(payload) - 500)
    case 5: .bool(payload % 16 < 8)
    case 6: .bytes([UInt8(payload % 256), 0])
    default: .unknown(tag: 9, payload: [UInt8(payload % 256)])
    }
  }

  /// Compares the list with the model in every way there is to look at it.
  func check() throws(Divergence) {
    let visible = model.visible
    let shown = list.map(\.id)
    try require(shown == visible, "shows \(shown), the model \(visible)")
    try require(list.count == visible.count, "count \(list.count)")
    try require(mirror == visible, "changes lead to \(mirror), the model shows \(visible)")
    try checkItems()
    try checkPlaces(visible)
    for component in list.version {
      try require(
        model.version[component.replica] == component.sequence,
        "claims \(component), the model \(model.version[component.replica] ?? 0)")
    }
    let claims = model.version.values.count { $0 > 0 }
    try require(list.version.count == claims, "claims \(list.version), the model \(model.version)")
  }

  private func checkItems() throws(Divergence) {
    let items = list.allItems()
    try require(items.map(\.id) == model.items, "knows \(items.map(\.id)), not \(model.items)")
    for item in items {
      try require(
        item.entries == model.entries(of: item.id),
        "holds \(item.entries), the model \(model.entries(of: item.id))")
      try require(item.isVisible == model.isVisible(item.id), "\(item.id) visible or not")
      try require(item.lifeLength == model.lifeLength(item.id), "\(item.id) life")
      let position = model.position(item.id)
      try require(
        item.section == position?.section && item.key == position?.key, "\(item.id) position")
      for field in item.fields {
        try require(
          model.field(field.name, of: item.id) == field.value && item[field.name] == field.value,
          "\(item.id) \(field.name)")
      }
    }
  }

  private func checkPlaces(_ visible: [ItemID]) throws(Divergence) {
    for (place, id) in visible.enumerated() {
      try require(list[place].id == id, "place \(place) is not \(id)")
      try require(list.index(id: id) == place, "\(id) is not at place \(place)")
      try require(list.contains(id: id), "\(id) is not contained")
    }
    var places = 0..<0
    for section in list.sections {
      let ids = model.visible(in: section)
      places = places.upperBound..<places.upperBound + ids.count
      try require(list.indices(inSection: section) == places, "section \(section) is not \(places)")
    }
    try require(places.upperBound == visible.count, "sections leave items out")
  }
}
