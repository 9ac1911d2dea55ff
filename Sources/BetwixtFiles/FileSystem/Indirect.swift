/// A value that is kept elsewhere, so that what holds it has a size that the compiler knows.
///
/// Every `any FileSystem` and `any IdentityStore` within a noncopyable type is kept so. Without it
/// the type can only be handled by its address, and optimized code then frees what was copied out of
/// it before the copy is used: `let list = file.list; file.close()` leaves a list that is gone (seen
/// with Swift 6.3.1; the clients that `Tests/Scripts/bare-clients` builds would crash).
final class Indirect<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
