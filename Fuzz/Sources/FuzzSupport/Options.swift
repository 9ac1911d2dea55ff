#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The options of a command: `--name number`, and words without a number.
public struct Options {
  private var numbers: [String: UInt64] = [:]
  private var words: [String: String] = [:]
  private var flags: Set<String> = []

  /// Reads the command line; a bad one ends the process with code 64.
  ///
  /// - Parameters:
  ///   - numbers: Options that take a number.
  ///   - words: Options that take a word.
  ///   - flags: Options that take nothing.
  ///   - usage: What is said about a bad one.
  public init(
    numbers: Set<String> = [], words: Set<String> = [], flags: Set<String> = [], usage: String
  ) {
    var rest = CommandLine.arguments.dropFirst()
    while let name = rest.popFirst() {
      if flags.contains(name) {
        self.flags.insert(name)
      } else if words.contains(name), let word = rest.popFirst() {
        self.words[name] = word
      } else if numbers.contains(name), let number = rest.popFirst().flatMap(Options.number) {
        self.numbers[name] = number
      } else if name == "--help" || name == "-h" {
        print(usage)
        exit(0)
      } else {
        fail("Error: '\(name)' is no option, or its value is missing.\n\(usage)", code: 64)
      }
    }
  }

  private static func number(_ text: String) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
  }

  /// The number of an option, or what stands for it.
  public func number(_ name: String, else number: UInt64) -> UInt64 { numbers[name] ?? number }

  /// The word of an option.
  public func word(_ name: String) -> String? { words[name] }

  /// Whether an option was given.
  public func has(_ name: String) -> Bool { flags.contains(name) }
}

/// Writes a line to standard error.
public func note(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  unsafe bytes.withUnsafeBytes { bytes in
    _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}

/// Ends the process with a message and a code.
public func fail(_ text: String, code: Int32 = 1) -> Never {
  note(text)
  exit(code)
}

/// The text of a file, or `nil` if it cannot be read.
public func text(ofFile path: String) -> String? {
  guard let file = unsafe fopen(path, "rb") else { return nil }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = unsafe getc(file), byte >= 0 { bytes.append(UInt8(byte)) }
  return String(decoding: bytes, as: UTF8.self)
}

/// Writes a file into a folder, which is made if it is missing.
///
/// - Returns: Whether that worked.
public func save(_ bytes: [UInt8], to path: String) -> Bool {
  let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
  for count in 1...max(folders.count, 1) {
    _ = unsafe mkdir(folders.prefix(count).joined(separator: "/"), 0o755)
  }
  guard let file = unsafe fopen(path, "wb") else { return false }
  let written = unsafe bytes.withUnsafeBytes { bytes in
    unsafe fwrite(bytes.baseAddress, 1, bytes.count, file)
  }
  return unsafe fclose(file) == 0 && written == bytes.count
}

/// The value of an environment variable.
public func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}
