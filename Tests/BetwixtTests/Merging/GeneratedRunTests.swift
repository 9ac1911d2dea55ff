import Testing

@Suite("Generated runs agree with the model after every step")
struct GeneratedRunTests {
  private func check(seeds: Range<UInt64>, length: Int, _ mix: Action.Mix) {
    checkPrograms(seeds: seeds, length: length, mix: mix) { World.run($0, mix) }
  }

  @Test("three devices, sane clocks and ids")
  func sane() { check(seeds: 0..<16, length: 60, Action.Mix()) }

  @Test("one section, where everybody is in everybody's way")
  func crowded() { check(seeds: 100..<112, length: 60, Action.Mix(sections: 1, fields: 1)) }

  @Test("clocks a century off, frozen, before 1970, at the end of time, running backwards")
  func clocks() { check(seeds: 200..<212, length: 60, Action.Mix(hasWildClocks: true)) }

  @Test("devices that share an id, or were rolled back, converge all the same")
  func impostors() { check(seeds: 300..<316, length: 60, Action.Mix(hasClones: true)) }

  @Test("everything at once, with five devices")
  func everything() {
    check(
      seeds: 400..<406, length: 80,
      Action.Mix(devices: 5, hasWildClocks: true, hasClones: true))
  }

  @Test("the same seed makes the same run")
  func replay() {
    var first = ChoiceSource(seed: 9)
    var second = ChoiceSource(seed: 9)
    let mix = Action.Mix(hasWildClocks: true, hasClones: true)
    let program = Action.program(length: 100, mix, from: &first)
    #expect(program == Action.program(length: 100, mix, from: &second))
  }
}
