/// Where the rows of a file without ids come from.
enum RowOrigin {
  /// Another program, or an earlier file of it.
  case elsewhere
  /// The list as it was when the file was made, which may be the base of another one: what came since
  /// is none of its rows.
  case earlierList(ReturnedRows?)
  /// The list as it is: its rows stand as in that.
  case list
  /// A base, which says what its rows are.
  case base(ReturnedRows)
  /// Nobody asks: each row is what it is called by itself.
  case itself

  var isEarlierList: Bool { if case .earlierList = self { true } else { false } }
  var isList: Bool { if case .list = self { true } else { false } }
  var isItself: Bool { if case .itself = self { true } else { false } }

  /// The file that was made from the rows, if they are those of a base without ids.
  var returned: ReturnedRows? { if case .earlierList(let rows) = self { rows } else { nil } }
}
