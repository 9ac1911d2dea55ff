extension Command {
  /// Tells a shell the commands and options.
  static let completion = Command(
    name: "completion",
    synopsis: "(bash | zsh | fish | man)",
    summary: "Prints what a shell completes with, or the manual page.",
    details: """
      For bash: source <(betwixt completion bash). For zsh: source <(betwixt completion zsh). For fish: betwixt completion fish > \
      ~/.config/fish/completions/betwixt.fish. For man: betwixt completion man > betwixt.1.
      """,
    operands: [("SHELL", "bash, zsh, fish, or man for the manual page.")],
    operandCount: 1...1,
    ownOptions: [],
    examples: ["betwixt completion bash", "betwixt completion man | man -l -"],
    action: { (arguments, session) throws(ToolFailure) in
      let word = arguments.operands[0]
      if word == "man" {
        session.print(ManualPage.text)
        return .done
      }
      guard let shell = Completion(rawValue: word) else {
        throw session.usage("'\(word.printable)' is none of bash, zsh, fish and man")
      }
      session.print(shell.script)
      return .done
    })
}
