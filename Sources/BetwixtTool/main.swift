if let number = SystemCall.firstArgumentThatIsNoText {
  let text = """
    Error: argument \(number) is no UTF-8, so it would name another file; give the file as \
    standard input, '-', or rename it

    """
  try? Descriptor.standardError.write(Array(text.utf8))
  SystemCall.exitProcess(ExitCode.usage.rawValue)
}
let code = run(
  arguments: Array(CommandLine.arguments.dropFirst()), input: Descriptor.standardInput,
  output: Descriptor.standardOutput, error: Descriptor.standardError,
  environment: Environment.ofProcess)
SystemCall.exitProcess(code.rawValue)
