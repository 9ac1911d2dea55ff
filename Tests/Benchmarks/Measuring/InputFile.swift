#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Whole files, read without Foundation; `-` is standard input.
enum InputFile {
  struct Unreadable: Error, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String { "cannot read \(path) (error \(code))" }
  }

  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unreadable(path: path, code: errno) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    return try readAll(descriptor, name: path)
  }

  /// Everything up to the end of the stream.
  static func readAll(_ descriptor: Int32, name: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { buffer in
        unsafe systemRead(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Unreadable(path: name, code: errno) }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: chunk.prefix(count))
    }
  }

  private static func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Darwin)
    unsafe Darwin.read(descriptor, buffer, count)
    #elseif canImport(Glibc)
    unsafe Glibc.read(descriptor, buffer, count)
    #else
    unsafe Musl.read(descriptor, buffer, count)
    #endif
  }
}
