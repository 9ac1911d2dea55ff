/// Where the rows of a file without ids come from.
enum RowOrigin {
  /// Another program, or an earlier file of it.
  case elsewhere
  /// The list as it was when the file was made: what came since is none of its rows.
  case earlierList
  /// The list as it is: its rows stand as in that.
  case list
}
