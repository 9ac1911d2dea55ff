/// For each replica, the number up to which all of its writes are known.
///
/// `vector[r] == n` claims: of every write `1...n` of replica `r`, I hold it or a write that
/// replaced it. A vector makes sync cheap; it proves nothing about content, which is what a list's
/// `digest` is for.
///
///     var known: VersionVector = [alice: 4]
///     known.covers(Dot(replica: alice, sequence: 3))  // true
///     known.formUnion([alice: 7, bob: 1])             // [alice: 7, bob: 1]
public struct VersionVector: Hashable, Sendable {
  /// One replica and its number.
  public struct Component: Hashable, Sendable {
    /// Whose writes.
    public let replica: ReplicaID

    /// The number up to which all are known, at least 1.
    public let sequence: Int64

    package init(replica: ReplicaID, sequence: Int64) {
      self.replica = replica
      self.sequence = sequence
    }
  }

  // Rising by replica; no component is 0, so that equal claims are equal values.
  private var components: [Component] = []

  /// Makes a vector that claims nothing.
  public init() {}

  /// Makes a vector from components of different replicas, none of them 0, in any order.
  package init(_ components: [Component]) {
    self.components = components.sorted { $0.replica < $1.replica }
  }

  /// The number up to which all writes of a replica are known; 0 if none are.
  ///
  /// Assigning 0 or less takes the claim back.
  ///
  /// - Complexity: reading O(log *r*), writing O(*r*), for *r* replicas.
  public subscript(replica: ReplicaID) -> Int64 {
    get {
      let place = lowerBound(replica)
      guard place < components.count, components[place].replica == replica else { return 0 }
      return components[place].sequence
    }
    set {
      let place = lowerBound(replica)
      let exists = place < components.count && components[place].replica == replica
      if newValue <= 0 {
        if exists { components.remove(at: place) }
      } else if exists {
        components[place] = Component(replica: replica, sequence: newValue)
      } else {
        components.insert(Component(replica: replica, sequence: newValue), at: place)
      }
    }
  }

  /// Whether the write is one of those claimed.
  ///
  /// - Complexity: O(log *r*)
  public func covers(_ dot: Dot) -> Bool {
    dot.sequence <= self[dot.replica]
  }

  /// Whether this vector claims everything that the other does.
  ///
  /// - Complexity: O(*r*) for the replicas of both
  public func covers(_ other: VersionVector) -> Bool {
    Cost.count(.component, times: other.count)
    var mine = components.startIndex
    for theirs in other.components {
      while mine < components.count, components[mine].replica < theirs.replica { mine += 1 }
      guard mine < components.count, components[mine].replica == theirs.replica,
        components[mine].sequence >= theirs.sequence
      else { return false }
    }
    return true
  }

  /// Claims what either vector claims.
  ///
  /// - Complexity: O(*r*) for the replicas of both; O(1) if one of them claims nothing
  public mutating func formUnion(_ other: VersionVector) {
    guard !components.isEmpty else {
      components = other.components
      return
    }
    guard !other.components.isEmpty, components != other.components else { return }
    Cost.count(.component, times: count + other.count)
    var joined: [Component] = []
    joined.reserveCapacity(components.count + other.components.count)
    var mine = 0
    for theirs in other.components {
      while mine < components.count, components[mine].replica < theirs.replica {
        joined.append(components[mine])
        mine += 1
      }
      if mine < components.count, components[mine].replica == theirs.replica {
        let sequence = Swift.max(components[mine].sequence, theirs.sequence)
        joined.append(Component(replica: theirs.replica, sequence: sequence))
        mine += 1
      } else {
        joined.append(theirs)
      }
    }
    joined.append(contentsOf: components[mine...])
    components = joined
  }

  /// The vector that claims what either of the two claims.
  ///
  /// - Complexity: O(*r*) for the replicas of both
  public func union(_ other: VersionVector) -> VersionVector {
    var result = self
    result.formUnion(other)
    return result
  }

  /// The vector that claims what both of the two claim.
  ///
  /// - Complexity: O(*r*) for the replicas of both
  public func intersection(_ other: VersionVector) -> VersionVector {
    guard !isEmpty, !other.isEmpty else { return VersionVector() }
    Cost.count(.component, times: count + other.count)
    var common = VersionVector()
    var theirs = other.components.startIndex
    for mine in components {
      while theirs < other.components.count, other.components[theirs].replica < mine.replica {
        theirs += 1
      }
      guard theirs < other.components.count else { break }
      let component = other.components[theirs]
      guard component.replica == mine.replica else { continue }
      common.components.append(mine.sequence < component.sequence ? mine : component)
    }
    return common
  }

  private func lowerBound(_ replica: ReplicaID) -> Int {
    var low = 0
    var high = components.count
    while low < high {
      let middle = (low + high) / 2
      if components[middle].replica < replica { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension VersionVector: RandomAccessCollection {
  /// The first component; they rise by replica.
  public var startIndex: Int { 0 }

  /// The place behind the last component.
  public var endIndex: Int { components.count }

  /// The component at a place.
  public subscript(position: Int) -> Component { components[position] }
}

extension VersionVector: ExpressibleByDictionaryLiteral {
  /// Makes a vector from a literal; of a replica named twice the greater number counts.
  public init(dictionaryLiteral elements: (ReplicaID, Int64)...) {
    for (replica, sequence) in elements { self[replica] = Swift.max(self[replica], sequence) }
  }
}

extension VersionVector: CustomStringConvertible {
  /// `[replica: number, …]`, rising by replica.
  public var description: String {
    var text = "["
    for component in components {
      if text.utf8.count > 1 { text += ", " }
      text += "\(component.replica): \(component.sequence)"
    }
    return text + "]"
  }
}
