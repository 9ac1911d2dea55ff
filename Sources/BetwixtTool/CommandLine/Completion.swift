/// What shells and readers of manuals are told, from the same table as the help.
enum Completion: String, CaseIterable {
  case bash
  case zsh
  case fish

  private static var words: [String] {
    Tool.commands.map { $0.name } + Tool.aliases.map { $0.name } + ["help"]
  }

  /// The lines that a shell reads when it starts.
  var script: String {
    switch self {
    case .bash: Completion.bashScript
    case .zsh: Completion.zshScript
    case .fish: Completion.fishScript
    }
  }

  private static func options(of command: Command) -> String {
    command.options.map { "--\($0.name)" }.joined(separator: " ")
  }

  private static var bashScript: String {
    var text = """
      _betwixt() {
        local word="${COMP_WORDS[COMP_CWORD]}" words=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          words="\(words.joined(separator: " ")) --help --version"
        elif [ "${COMP_WORDS[1]}" = help ]; then
          words="\((words + HelpTopic.allCases.map { $0.rawValue }).joined(separator: " "))"
        elif [ "${word#-}" != "$word" ]; then
          case "${COMP_WORDS[1]}" in

      """
    for command in Tool.commands {
      text +=
        "      \(names(of: command).joined(separator: "|"))) words=\"\(options(of: command))\" ;;\n"
    }
    return text + """
          esac
        fi
        if [ -n "$words" ]; then
          COMPREPLY=($(compgen -W "$words" -- "$word"))
        else
          COMPREPLY=($(compgen -f -- "$word"))
        fi
      }
      complete -o filenames -F _betwixt betwixt

      """
  }

  private static var zshScript: String {
    """
    #compdef betwixt
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u }
    autoload -Uz bashcompinit && bashcompinit

    """ + bashScript
  }

  private static var fishScript: String {
    var text = "complete -c betwixt -n __fish_use_subcommand -f\n"
    for command in Tool.commands {
      for name in names(of: command) {
        text +=
          "complete -c betwixt -n __fish_use_subcommand -f -a \(name) "
          + "-d \(quoted(command.summary))\n"
      }
      let condition =
        "-n '__fish_seen_subcommand_from \(names(of: command).joined(separator: " "))'"
      for option in command.options {
        let letter = option.letter.map { " -s \($0)" } ?? ""
        let value = option.placeholder == nil ? "" : " -r"
        text += "complete -c betwixt \(condition)\(letter) -l \(option.name)\(value)\n"
      }
    }
    let topics = words + HelpTopic.allCases.map { $0.rawValue }
    text += "complete -c betwixt -n __fish_use_subcommand -f -a help -d 'Explains a command.'\n"
    return text
      + "complete -c betwixt -n '__fish_seen_subcommand_from help' -f "
      + "-a \(quoted(topics.joined(separator: " ")))\n"
  }

  /// The name of a command and its aliases.
  private static func names(of command: Command) -> [String] {
    [command.name] + Tool.aliases.filter { $0.command == command.name }.map { $0.name }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "\\'" : String($0) }.joined() + "'"
  }
}

/// The manual page.
enum ManualPage {
  /// The page in the language of `man`.
  static var text: String {
    var text = """
      .TH BETWIXT 1 "" "betwixt \(Tool.version)" "User Commands"
      .SH NAME
      betwixt \\- edits trips and tasks, syncs them, and merges copies that were edited apart
      .SH SYNOPSIS
      .B betwixt
      .I command
      [options] ...
      .SH COMMANDS

      """
    for command in Tool.commands {
      text += ".SS \(escaped("betwixt \(command.name) \(command.synopsis)"))\n"
      text += line("\(command.summary) \(command.details)")
      for (label, help) in command.operands + command.options.map({ ($0.label, $0.help) }) {
        text += ".TP\n.B \(escaped(label))\n" + line(help)
      }
    }
    for topic in HelpTopic.allCases {
      text += ".SH \(topic.rawValue.uppercased())\n.nf\n"
      for line in topic.text(width: 80).split(separator: "\n") { text += self.line(String(line)) }
      text += ".fi\n"
    }
    return text
  }

  private static func line(_ text: String) -> String {
    let text = escaped(text)
    // A line that starts with a dot would be an order.
    return (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
  }
}
