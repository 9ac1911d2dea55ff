let code = run(
  arguments: Array(CommandLine.arguments.dropFirst()), input: Descriptor.standardInput,
  output: Descriptor.standardOutput, error: Descriptor.standardError,
  environment: Environment.ofProcess)
SystemCall.exitProcess(code.rawValue)
