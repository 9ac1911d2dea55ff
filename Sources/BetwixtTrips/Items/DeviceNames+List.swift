package import Betwixt

// Ids say nothing to people. What a device is called stands in the list, so that every copy knows
// it: a field of the root for each writer, which plain files and comparisons leave out.

extension FieldName {
  private static let devicePrefix = "device:"

  /// The field of the root that says what a writer is called.
  package init?(deviceOf replica: ReplicaID) {
    self.init(FieldName.devicePrefix + replica.description)
  }

  /// Whether the field, of the root, is what a writer is called.
  package var isDeviceName: Bool { text.hasBytePrefix(FieldName.devicePrefix) }
}

extension ReplicatedList {
  /// What the device is called that writes under an id; `nil` if nobody said.
  package func deviceName(of replica: ReplicaID) -> String? {
    guard let field = FieldName(deviceOf: replica), let name = metadata[field]?.string,
      !name.isEmpty
    else { return nil }
    return name
  }
}
