import Foundation
import Testing

@testable import BetwixtFiles

/// What one read or wait says of pipes and sockets.
struct DescriptorTests {
  private static func pipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe Foundation.pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test func aPipeThatIsEmptyIsNotAtItsEnd() throws {
    let (reading, writing) = Self.pipe()
    #expect(try PosixCall.setNonblocking(reading, isOn: true) == false)
    #expect(try PosixCall.setNonblocking(reading, isOn: true) == true)
    #expect(try PosixCall.readSome(reading, limit: 8) == nil)
    var bytes: [UInt8] = [1, 2, 3]
    #expect(unsafe write(writing, &bytes, 3) == 3)
    #expect(try PosixCall.readSome(reading, limit: 2) == [1, 2])
    #expect(try PosixCall.readSome(reading, limit: 8) == [3])
    close(writing)
    #expect(try PosixCall.readSome(reading, limit: 8) == [])
    close(reading)
    #expect(throws: FileSystemError.self) { try PosixCall.readSome(reading, limit: 8) }
  }

  /// Whose other end closes while bytes wait is told so by an error.
  @Test func aSocketThatWasResetHasEnded() throws {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    #expect(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    var bytes: [UInt8] = [1, 2, 3]
    #expect(unsafe write(ends[0], &bytes, 3) == 3)
    close(ends[1])
    #expect(try PosixCall.readSome(ends[0], limit: 8) == [])
    close(ends[0])
  }

  @Test func aWaitSaysWhichOfTheTwoIsReady() throws {
    let (reading, writing) = Self.pipe()
    defer {
      close(reading)
      close(writing)
    }
    func ready(_ reading: Int32?, _ writing: Int32?) throws -> [Bool] {
      let ready = try PosixCall.wait(reading: reading, writing: writing, milliseconds: 0)
      return [ready.canRead, ready.canWrite]
    }
    #expect(try ready(reading, writing) == [false, true])
    #expect(try ready(reading, nil) == [false, false])
    var bytes: [UInt8] = [1]
    #expect(unsafe write(writing, &bytes, 1) == 1)
    #expect(try ready(reading, writing) == [true, true])
    #expect(try ready(reading, nil) == [true, false])
    #expect(try ready(nil, writing) == [false, true])
    #expect(try ready(nil, nil) == [false, false])
  }

  /// A drive that fails while a directory is read has not told all that is in it.
  @Test func aDirectoryOfWhichOnlyAPartCanBeReadIsAnError() throws {
    let entry = UnsafeMutablePointer<dirent>.allocate(capacity: 1)
    defer { unsafe entry.deallocate() }
    unsafe entry.initialize(to: dirent())
    unsafe entry.pointee.d_name.0 = 65
    for failure in [0, EIO] {
      var left = 2
      // What else has failed says nothing.
      errno = EINVAL
      let names = Result { () throws(FileSystemError) in
        try unsafe PosixCall.names {
          left -= 1
          errno = left < 0 && failure != 0 ? failure : errno
          return unsafe left < 0 ? nil : entry
        }
      }
      let expected: Result<[String], FileSystemError> =
        failure == 0
        ? .success(["A", "A"])
        : .failure(FileSystemError("list", because: .failed, number: EIO))
      #expect(names == expected)
    }
  }
}
