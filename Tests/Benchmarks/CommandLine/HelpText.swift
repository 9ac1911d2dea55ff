enum HelpText {
  static let help = """
    OVERVIEW: Runs a workload and prints what it took, as one JSON object per line.

    The result of each workload is held against the length and hash that every
    implementation of it must reach; a wrong result is said so and exits with 1.

    USAGE: Benchmarks [options] <workload> ...
           Benchmarks [options] --all

    OPTIONS:
      --list                  List the workloads.
      --all                   Run them all, each in a process of its own; W7 only
                              with --trace.
      --trace <path>          The recorded text of W7 and W7k: the JSON of an
                              editing trace, already unpacked; - is standard input.
      --repeat <n>            Run each workload n times (default: 1).
      --cap <seconds>         Stop a loop after so long (default: 60); the result
                              is then checked against the model.
      --markdown              Print a table instead of lines.
      --compare <path>        Print ratios to another program's lines in a file.
      --from <path>           Take our lines from a file instead of running.
      --help                  Show this text.

    EXAMPLES:
      swift run -c release Benchmarks W3a.op
      gzip -dc automerge-paper.json.gz | .build/release/Benchmarks --trace - W7.op
      .build/release/Benchmarks --repeat 3 --compare other.jsonl W1.op W2.op
    """

  static let usage = """
    Usage: Benchmarks [options] <workload> ...
    See 'Benchmarks --help' for more information.
    """

  /// The listing: a name and a summary per line.
  static var list: String {
    Workload.all.map { workload in
      let space = String(repeating: " ", count: max(2, 26 - workload.name.count))
      return workload.name + space + workload.summary
    }
    .joined(separator: "\n")
  }
}
