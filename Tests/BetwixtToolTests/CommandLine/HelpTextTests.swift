import BetwixtTool
import Testing

@Suite struct HelpTextTests {
  @Test func labelsStandInAColumnAndTextWraps() {
    var help = HelpText(width: 50)
    help.paragraph("OVERVIEW", "Draws a trip day by day, in the order of the list.")
    help.section("OPTIONS", rows: [("--json", "Print one object per line."), ("-o", "Out.")])
    help.section("EXAMPLES", lines: ["betwixt show trip.json"])
    #expect(
      help.text == """
        OVERVIEW: Draws a trip day by day, in the order of
        the list.

        OPTIONS:
          --json                  Print one object per
                                  line.
          -o                      Out.

        EXAMPLES:
          betwixt show trip.json

        """)
  }

  @Test func aLongLabelHasALineOfItsOwn() {
    var help = HelpText(width: 80)
    help.section("OPTIONS", rows: [("--a-very-long-option VALUE", "Text.")])
    #expect(
      help.text == """
        OPTIONS:
          --a-very-long-option VALUE
                                  Text.

        """)
  }

  @Test("No line is longer than the width", arguments: [1, 60, 80, 132])
  func width(_ width: Int) {
    for command in Tool.commands {
      let lines = command.help(width: width).split(separator: "\n")
      let longest = lines.filter { !$0.hasPrefix("  betwixt") }.map(\.count).max() ?? 0
      #expect(longest <= max(width, 46), "\(command.name)")
    }
  }

  @Test func emptySectionsAreLeftOut() {
    var help = HelpText(width: 80)
    help.section("ARGUMENTS", rows: [])
    help.section("EXAMPLES", lines: [])
    #expect(help.text.isEmpty)
  }

  @Test func aParagraphIsWrappedByItself() {
    var help = HelpText(width: 60)
    help.paragraph("OVERVIEW", "Short.\n\nAlso short, but on its own.")
    #expect(help.text == "OVERVIEW: Short.\n\nAlso short, but on its own.\n")
  }

  @Test func aTopicIsNoCommand() {
    #expect(ToolRun("formats").messages.contains("'betwixt help formats' says more of it"))
    #expect(ToolRun("help", "help").code == .done)
  }

  @Test func topicsAreNamedToWhoNeedsThem() {
    #expect(ToolRun("help", "format").messages.contains("did you mean 'formats'?"))
    #expect(ToolRun("help", "exitcodes").messages.contains("did you mean 'exit-codes'?"))
    #expect(!ToolRun("format").messages.contains("did you mean 'formats'?"))
    let run = ToolRun("export", "--format", "docx", "-", input: SampleTrip.base)
    #expect(run.code == .usage && run.messages.contains("'betwixt help formats' says more"))
  }
}
