/// One action of the small world.
enum Step: CustomStringConvertible {
  case toggle(replica: Int, item: Int)
  case move(replica: Int, item: Int)
  case changeSection(replica: Int, item: Int)
  case set(replica: Int, item: Int)
  case send(from: Int, to: Int)

  /// What a transfer brings that broke off before its end: the entries, and no claims.
  case sendUnclaimed(from: Int, to: Int)

  static let all: [Step] = {
    var steps: [Step] = []
    for replica in 0..<3 {
      for item in 0..<2 {
        steps += [
          .toggle(replica: replica, item: item), .move(replica: replica, item: item),
          .changeSection(replica: replica, item: item), .set(replica: replica, item: item),
        ]
      }
      for other in 0..<3 where other != replica {
        steps += [.send(from: replica, to: other), .sendUnclaimed(from: replica, to: other)]
      }
    }
    return steps
  }()

  var description: String {
    switch self {
    case .toggle(let replica, let item): "\(replica) removes or restores \(item)"
    case .move(let replica, let item): "\(replica) moves \(item) to the other end"
    case .changeSection(let replica, let item): "\(replica) moves \(item) to the other section"
    case .set(let replica, let item): "\(replica) sets a field of \(item)"
    case .send(let from, let to): "\(from) sends to \(to)"
    case .sendUnclaimed(let from, let to): "\(from) sends to \(to) without claims"
    }
  }
}
