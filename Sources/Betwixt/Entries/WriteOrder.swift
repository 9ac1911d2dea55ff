/// The total order of two writes of one register: for `life` its causal length first, then for all
/// time, replica, value, sequence.
///
/// Negative if the left one is less.
func writeOrder(
  _ isLife: Bool,
  _ left: (time: UInt64, replica: ReplicaID, value: ArraySlice<UInt8>, sequence: Int64),
  _ right: (time: UInt64, replica: ReplicaID, value: ArraySlice<UInt8>, sequence: Int64)
) -> Int {
  if isLife {
    let lengths = compareBytes(left.value, right.value)
    if lengths != 0 { return lengths }
  }
  if left.time != right.time { return left.time < right.time ? -1 : 1 }
  if left.replica != right.replica { return left.replica < right.replica ? -1 : 1 }
  let values = compareBytes(left.value, right.value)
  if values != 0 { return values }
  return left.sequence == right.sequence ? 0 : left.sequence < right.sequence ? -1 : 1
}
