/// Which database the text is for.
public enum SQLDialect: String, CaseIterable, Sendable {
  /// PostgreSQL 12 or newer, and what speaks as it does; 14 or newer for
  /// ``SQLSchema/digestTriggers``.
  case postgres

  /// SQLite 3.38 or newer, with its functions for JSON.
  case sqlite

  /// How the parameter of a number, from 1, is written.
  func parameter(_ number: Int) -> String { self == .postgres ? "$\(number)" : "?\(number)" }
}
