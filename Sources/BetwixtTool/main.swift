// A file that grows beyond what this user may write is an error like a full drive, and no end.
SystemCall.ignoreSizeSignal()
let code = run(
  arguments: SystemCall.arguments, input: Descriptor.standardInput,
  output: Descriptor.standardOutput, error: Descriptor.standardError,
  environment: Environment.ofProcess)
SystemCall.exitProcess(code.rawValue)
