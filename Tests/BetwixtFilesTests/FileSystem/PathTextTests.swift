import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// Names of files are bytes: each is one text, and the text leads back to it.
@Suite struct PathTextTests {
  private func bytes(_ text: String) -> [UInt8] {
    PathText.name(text).dropLast().map { UInt8(bitPattern: $0) }
  }

  @Test func whatIsTextStaysAsItIs() {
    for name in ["", "trip.trip", "Zürich/日本🧑‍🚀.trip", "e\u{301}"] {
      #expect(PathText.text(Array(name.utf8)).utf8.elementsEqual(name.utf8))
      #expect(bytes(name) == Array(name.utf8))
    }
  }

  @Test func noTwoNamesAreOneText() {
    // Characters of the private area, in pieces too, are bytes like all others.
    let names: [[UInt8]] = [
      [0xff], [0xfe], [0xc3], [0xef, 0xbf, 0xbd], Array("\u{10feff}".utf8), [0xf4, 0x8f, 0xbb],
      [0xed, 0xa0, 0x80], [0x61, 0x80, 0x62], [0x61, 0x81, 0x62],
    ]
    let texts = names.map { PathText.text($0) }
    for (name, text) in zip(names, texts) { #expect(bytes(text) == name) }
    #expect(Set(texts.map { Array($0.utf8) }).count == names.count)
  }

  @Test func anyBytesComeBack() {
    var random = SplitMix64(seed: 20)
    let pieces: [[UInt8]] = [
      Array("a".utf8), Array("é".utf8), Array("🧑".utf8), Array("\u{10fe80}".utf8), [0xf4, 0x8f],
    ]
    for _ in 0..<2_000 {
      var name: [UInt8] = []
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        name +=
          Bool.random(using: &random)
          ? pieces[Int.random(in: 0..<pieces.count, using: &random)]
          : [UInt8.random(in: 1...255, using: &random)]
      }
      #expect(bytes(PathText.text(name)) == name, "\(name)")
    }
  }

  @Test func suchFilesAreMadeListedAndRemoved() throws {
    let machine = Machine(seed: 3)
    let files = PosixFileSystem()
    let folder = machine.path(PathText.text([0x66, 0xff]))
    try files.makeDirectories(folder)
    let names = [[0x61, 0xfe], [0x61, 0xff]].map { PathText.text($0) }
    for name in names {
      let file = try files.open("\(folder)/\(name)", mode: .creating)
      _ = try files.append(file, bytes: Array(name.utf8)[...])
      files.close(file)
    }
    #expect(try files.list(folder) == names)
    try files.rename("\(folder)/\(names[0])", to: "\(folder)/b")
    try files.unlink("\(folder)/\(names[1])")
    #expect(try files.list(folder) == ["b"])
  }
}
