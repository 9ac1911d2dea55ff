import Betwixt

extension SQLRegisters {
  /// Asks for the next items of the list, in its order.
  ///
  /// The order is that of two columns of bytes, so no collation has a word in it. A page costs what
  /// stands on it, wherever it begins.
  ///
  /// - Parameters:
  ///   - mark: Where the page begins, ``SQLItem/mark`` of the last item before it; `nil` for the start.
  ///   - limit: How many items at most.
  /// - Returns: A statement whose rows ``items(_:)`` takes.
  public func page(after mark: SQLPageMark? = nil, limit: Int) -> SQLStatement {
    SQLStatement(
      dialect == .postgres ? Self.postgresPage : Self.sqlitePage,
      [
        id, .bytes(mark?.value ?? []), .bytes(mark?.item.bytes ?? []), .integer(Int64(limit)),
      ])
  }

  /// Reads the rows that ``page(after:limit:)`` has brought.
  ///
  /// - Parameter rows: All of them, as they came.
  /// - Returns: The items, in the order of the list.
  /// - Throws: ``SQLFailure`` if a row is none of ours.
  public func items(_ rows: [[SQLValue]]) throws(SQLFailure) -> [SQLItem] {
    var items: [SQLItem] = []
    var fields = Fields()
    for (number, row) in rows.enumerated() {
      var reader = ColumnReader(row[...], row: number)
      let id = try reader.identifier(ItemID.self)
      let place = try reader.bytes()
      if items.last?.id == id { items.removeLast() } else { fields = Fields() }
      let kind = try reader.integer()
      let (name, value) = (try reader.bytes(), try reader.bytes())
      do throws(EntryFailure) {
        if kind == Int64(Register.Kind.field) {
          try SQLRegisters.read(name, value: value, into: &fields)
        }
        let position = try RegisterValue(canonicalBytes: place, of: .position)
        guard case .position(let section, let key) = position else { continue }
        items.append(SQLItem(id: id, section: section, key: key, fields: fields))
      } catch {
        throw SQLFailure(.entry(error), row: number)
      }
    }
    return items
  }

  private static func read(
    _ name: [UInt8], value: [UInt8], into fields: inout Fields
  ) throws(EntryFailure) {
    let register = try Register(kind: Register.Kind.field, name: name)
    let content = try RegisterValue(canonicalBytes: value, of: register)
    if case (.field(let name), .field(let value?)) = (register, content) { fields[name] = value }
  }

  // The inner select cannot be joined otherwise than by its key (OFFSET 0): what looks like the same
  // as a plain join reads every life of the list.
  package static let postgresPage = """
    SELECT p.item, p.value, coalesce(f.kind, 0::smallint), coalesce(f.name, ''::bytea),
      coalesce(f.value, ''::bytea)
    FROM (
      SELECT p.item, p.value FROM betwixt_register AS p CROSS JOIN LATERAL (
        SELECT l.length FROM betwixt_register AS l
        WHERE l.list = $1::bytea AND l.item = p.item AND l.kind = 0 AND l.name = ''::bytea OFFSET 0
      ) AS life
      WHERE p.list = $1::bytea AND p.kind = 1 AND (p.value, p.item) > ($2::bytea, $3::bytea)
        AND life.length % 2 = 1 AND p.item <> '\\x00000000000000000000000000000000'::bytea
      ORDER BY p.value, p.item LIMIT $4
    ) AS p LEFT JOIN LATERAL (
      SELECT r.kind, r.name, r.value FROM betwixt_register AS r
      WHERE r.list = $1::bytea AND r.item = p.item AND r.kind = 2 OFFSET 0
    ) AS f ON true
    ORDER BY p.value, p.item, f.name
    """

  package static let sqlitePage = """
    SELECT p.item, p.value, coalesce(f.kind, 0), coalesce(f.name, x''), coalesce(f.value, x'')
    FROM (
      SELECT p.item, p.value FROM betwixt_register AS p INDEXED BY betwixt_register_place
      CROSS JOIN betwixt_register AS life
        ON life.list = ?1 AND life.item = p.item AND life.kind = 0 AND life.name = x''
      WHERE p.list = ?1 AND p.kind = 1 AND (p.value, p.item) > (?2, ?3)
        AND life.length % 2 = 1 AND p.item <> x'00000000000000000000000000000000'
      ORDER BY p.value, p.item LIMIT ?4
    ) AS p LEFT JOIN betwixt_register AS f ON f.list = ?1 AND f.item = p.item AND f.kind = 2
    ORDER BY p.value, p.item, f.name
    """
}
