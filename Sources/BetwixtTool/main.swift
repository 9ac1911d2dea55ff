let code = run(
  arguments: SystemCall.arguments, input: Descriptor.standardInput,
  output: Descriptor.standardOutput, error: Descriptor.standardError,
  environment: Environment.ofProcess)
SystemCall.exitProcess(code.rawValue)
