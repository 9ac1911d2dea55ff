extension ReplicaTable {
  func write(to image: inout ImageWriter) {
    image.append(rows.count)
    for row in rows {
      image.append(row.id.rawValue)
      image.append(UInt64(bitPattern: row.known))
      image.append(UInt64(bitPattern: row.highest))
      image.pause()
    }
  }

  init(from image: inout ImageReader) throws(ImageFailure) {
    self.init()
    for _ in 0..<(try image.count()) {
      let row = insert(ReplicaID(rawValue: try image.number()))
      cover(row, after: 0, through: Int64(bitPattern: try image.number()))
      noteSeen(row, sequence: Int64(bitPattern: try image.number()))
    }
  }
}

extension RegisterTable {
  func write(to image: inout ImageWriter) {
    image.append(registers.count)
    for register in registers {
      image.append(UInt64(register.kind))
      image.append(register.nameBytes)
      image.pause()
    }
  }

  init(from image: inout ImageReader) throws(ImageFailure) {
    self.init()
    for _ in 0..<(try image.count()) {
      let (kind, name) = (try image.number(), try image.bytes())
      if kind == UInt64(Register.Kind.field) {
        guard let name = FieldName(String(decoding: name, as: UTF8.self)) else {
          throw ImageFailure()
        }
        _ = insert(.field(name))
      } else {
        _ = insert(.other(kind: UInt8(truncatingIfNeeded: kind), name: name))
      }
    }
  }
}
