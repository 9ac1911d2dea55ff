/// The total order of two writes of one register: for `life` its causal length first, then for all
/// time, replica, value, sequence.
///
/// - Parameters:
///   - left: One write.
///   - right: The other one.
///   - isLife: Whether the register is `life`.
///   - values: How the values compare. It is asked only where that decides something: most writes
///     differ in time, and nothing has to be made of their bytes.
/// - Returns: A negative number if the left one is less, 0 if they are the same.
@inline(__always)
func writeOrder(
  _ left: (time: UInt64, replica: ReplicaID, sequence: Int64),
  _ right: (time: UInt64, replica: ReplicaID, sequence: Int64), isLife: Bool,
  values: () -> Int
) -> Int {
  if isLife {
    let lengths = values()
    if lengths != 0 { return lengths }
  }
  if left.time != right.time { return left.time < right.time ? -1 : 1 }
  if left.replica != right.replica { return left.replica < right.replica ? -1 : 1 }
  if !isLife {
    let values = values()
    if values != 0 { return values }
  }
  return left.sequence == right.sequence ? 0 : left.sequence < right.sequence ? -1 : 1
}
