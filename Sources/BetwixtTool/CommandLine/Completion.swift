import BetwixtTrips

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
    let cases = Tool.commands.map { bashCase($0) }.joined(separator: "\n")
    return """
      _betwixt() {
        local IFS=$' \\t\\n' word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
        local command="" options="" valued=" " places="none" option="" prefix="" what=files words=""
        local index=1 count=-1 place
        [ "$COMP_CWORD" -gt 1 ] && command="${COMP_WORDS[1]}"
        case "$command" in
      \(cases)
          help) places="commands none" ;;
        esac
        # An equals sign may be a word of its own.
        case "$word" in
          --*=*) option="${word%%=*}" prefix="${word%%=*}=" word="${word#*=}" ;;
          =) option="$before" word="" ;;
        esac
        if [ "$before" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
          option="${COMP_WORDS[COMP_CWORD-2]}"
        elif [ -z "$option" ] && [ "${valued#* $before }" != "$valued" ]; then
          option="$before"
        fi
        while [ "$index" -lt "$COMP_CWORD" ]; do
          place="${COMP_WORDS[index]}"
          case "$place" in
            -) count=$((count + 1)) ;;
            =) index=$((index + 1)) ;;
            -*)
              if [ "${valued#* $place }" != "$valued" ] && [ "${COMP_WORDS[index+1]}" != = ]; then
                index=$((index + 1))
              fi ;;
            *) count=$((count + 1)) ;;
          esac
          index=$((index + 1))
        done
        if [ -z "$command" ]; then
          what=words words="\(words.joined(separator: " ")) --help --version"
        elif [ -n "$option" ]; then
          case "$option" in
      \(bashValues)
            *) what=none ;;
          esac
        elif [ "${word#-}" != "$word" ]; then
          what=words words="$options"
        else
          for place in $places; do
            what="$place"
            [ "$count" -le 0 ] && break
            count=$((count - 1))
          done
          case "$what" in
            commands) what=words words="\(topics.joined(separator: " "))" ;;
            setup) what=words words=setup ;;
            shells) what=words words="\(shells)" ;;
          esac
        fi
        COMPREPLY=()
        case "$what" in
          files)
            # Each line is one name, whatever a shell makes of its characters elsewhere.
            while IFS= read -r place; do
              COMPREPLY+=("$place")
            done < <(compgen -f -P "$prefix" -- "$word") ;;
          words)
            compopt +o filenames 2> /dev/null
            COMPREPLY=($(compgen -W "$words" -P "$prefix" -- "$word")) ;;
        esac
      }
      complete -o filenames -F _betwixt betwixt

      """
  }

  private static var topics: [String] { words + HelpTopic.allCases.map { $0.rawValue } }

  private static let shells = "bash zsh fish man"

  private static func bashCase(_ command: Command) -> String {
    let valued = command.options.filter { $0.placeholder != nil }.flatMap { spellings(of: $0) }
    let places = places(of: command).joined(separator: " ")
    let names = names(of: command).joined(separator: "|")
    return "    \(names)) options=\"\(options(of: command))\" places=\"\(places)\""
      + (valued.isEmpty ? "" : " valued=\" \(valued.joined(separator: " ")) \"") + " ;;"
  }

  /// What the values of options are: words, files, and of all others nobody knows.
  private static var bashValues: String {
    var files: [String] = []
    var lines: [String] = []
    for option in Tool.commands.flatMap({ $0.options }) {
      let names = spellings(of: option).joined(separator: "|")
      if let words = values(of: option) {
        lines.append("      \(names)) what=words words=\"\(words)\" ;;")
      } else if Command.fileWords.contains(option.placeholder ?? "") {
        files.append(names)
      }
    }
    // Several commands have an option of one name.
    var known: Set<String> = []
    lines.append("      \(files.filter { known.insert($0).inserted }.joined(separator: "|"))) ;;")
    return lines.filter { known.insert($0).inserted }.joined(separator: "\n")
  }

  private static func spellings(of option: OptionSpec) -> [String] {
    (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
  }

  /// The words that may be the value of an option, if they are known.
  private static func values(of option: OptionSpec) -> String? {
    switch option.placeholder {
    case "FORMAT" where option.name == OptionSpec.format.name:
      DocumentFormat.allCases.filter(\.isWritten).map(\.rawValue).joined(separator: " ")
    case "FORMAT":
      DocumentFormat.allCases.filter { $0 != .trip }.map(\.rawValue).joined(separator: " ")
    case "WHEN": "auto always never"
    case "KIND": "custom travel game"
    case "DIALECT": "postgres sqlite"
    default: nil
    }
  }

  /// What stands in the places of a command's operands; the last one may be there again.
  private static func places(of command: Command) -> [String] {
    let places = command.operands.map { label, _ in
      switch label {
      case "setup": "setup"
      case "SHELL": "shells"
      case "PATTERN": "files"
      default: Command.fileWords.contains(label) ? "files" : "none"
      }
    }
    return places.isEmpty || command.operandCount.upperBound == places.count
      ? places + ["none"] : places
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
        let isFile = Command.fileWords.contains(option.placeholder ?? "")
        let words = values(of: option).map { " -a \(quoted($0))" } ?? ""
        let value = option.placeholder == nil ? "" : isFile ? " -r" : " -x" + words
        text += "complete -c betwixt \(condition)\(letter) -l \(option.name)\(value)\n"
      }
    }
    for (name, words) in [("completion", shells), ("git", "setup")] {
      text +=
        "complete -c betwixt -n '__fish_seen_subcommand_from \(name)' -f -a \(quoted(words))\n"
    }
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
