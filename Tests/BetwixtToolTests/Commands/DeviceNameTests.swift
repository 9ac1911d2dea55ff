import BetwixtTool
import Testing

/// Devices have names, and what came from elsewhere is told with who wrote it.
@Suite struct DeviceNameTests {
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    laptop = try TestDevice()
    phone = try TestDevice()
    #expect(laptop.run("identity", "--name", " Laptop\n").messages.contains("called “Laptop”"))
    #expect(phone.run("identity", "--name", "Phone of Ann").code == .done)
    let made = laptop.run("new", "--name", "Rome", "--days", "3", laptop.path())
    try #require(made.code == .done)
    for title in ["Lunch", "Museum", "Dinner"] {
      #expect(add(title, on: laptop).code == .done)
    }
    let copied = phone.run("sync", "--create", "--with", laptop.path(), phone.path())
    try #require(copied.code == .done, "\(copied.messages)")
  }

  private func add(_ title: String, on device: TestDevice) -> ToolRun {
    device.run("add", device.path(), "--day", "1", "--title", title)
  }

  @Test func theLogTellsThem() throws {
    #expect(add("Swim", on: phone).code == .done)
    let lines = phone.run("log", phone.path()).output.split(separator: "\n")
    #expect(lines[0].hasSuffix("Z  Phone of Ann  added “Swim”"))
    #expect(lines[1].hasSuffix("Z  Laptop  added “Dinner”"))
    #expect(!lines.joined().contains("device:"))
    #expect(
      phone.run("log", "--json", "--limit", "1", phone.path()).output
        .contains(#","name":"Phone of Ann","items":"#))
    #expect(phone.run("explain", phone.path(), "Lunch").output.contains(" by Laptop, its number "))
  }

  @Test(arguments: ["with", "folder", "exec"])
  func whatArrivedIsToldWithItsWriter(_ way: String) throws {
    #expect(phone.run("set", phone.path(), "Lunch", "title=Pizza", "note=good").code == .done)
    #expect(phone.run("move", "--day", "2", phone.path(), "Museum").code == .done)
    #expect(phone.run("remove", phone.path(), "Dinner").code == .done)
    #expect(add("Swim", on: phone).code == .done)
    let box = laptop.path("box")
    #expect(ToolRun("demo", "-o", box).code == .done)
    let arguments: [String]
    switch way {
    case "with": arguments = ["--with", phone.path()]
    case "folder":
      #expect(phone.run("sync", "--folder", box, phone.path()).code == .done)
      arguments = ["--folder", box]
    default: arguments = ["--exec", phone.line("sync", "--stdio", phone.path())]
    }
    let run = laptop.run(["sync"] + arguments + [laptop.path()])
    #expect(run.code == .done, "\(run.messages)")
    #expect(
      run.messages.contains(
        """
        from Phone of Ann: changed note, title of “Pizza”; added “Swim”; moved “Museum”; \
        and 1 more

        """), "\(run.messages)")
    let again = laptop.run(["sync"] + arguments + [laptop.path()])
    #expect(!again.messages.contains("from "))
  }

  @Test func programsAreToldIdsAndNames() throws {
    #expect(add("Swim", on: phone).code == .done)
    let run = laptop.run("sync", "--json", "--with", phone.path(), laptop.path())
    let line = run.output.split(separator: "\n").last ?? ""
    #expect(line.hasPrefix(#"{"from":""#))
    #expect(line.contains(#","name":"Phone of Ann","items":[""#))
  }

  @Test func namesAreNoPartOfAPlainTripAndNoStep() throws {
    #expect(add("Swim", on: phone).code == .done)
    #expect(!phone.run("export", "--format", "json", phone.path()).output.contains("device"))
    #expect(!phone.run("diff", phone.path(), laptop.path()).output.contains("device"))
    #expect(phone.run("undo", phone.path()).output == "undone: add Swim\n  “Swim” is gone\n")
    #expect(phone.run("undo", phone.path()).code == .negative)
    #expect(phone.run("log", phone.path()).output.contains("Phone of Ann  removed “Swim”"))
  }

  @Test func aNewNameIsThatOfNewWritesAndOld() throws {
    #expect(laptop.run("identity", "--name", "Desk", laptop.path()).output.hasSuffix("“Desk”\n"))
    #expect(laptop.run("log", laptop.path()).output.contains("  Desk  added “Lunch”"))
    for name in ["", " \n", String(repeating: "x", count: 61)] {
      #expect(laptop.run("identity", "--name=\(name)").code == .usage)
    }
    #expect(ToolRun("identity", "--name", "Nowhere").code == .cannotCreate)
  }

  /// Of an item whose life was written anew the log still says that it was added.
  @Test func theLogKnowsAddedItemsAfterUndo() throws {
    #expect(add("Swim", on: laptop).code == .done)
    for verb in ["undo", "redo"] { #expect(laptop.run(verb, laptop.path()).code == .done) }
    let lines = laptop.run("log", laptop.path()).output.split(separator: "\n")
    #expect(lines[0].hasSuffix("restored “Swim”"))
    #expect(lines[1].hasSuffix("added “Swim”"))
    #expect(!lines.joined().contains("kind"))
  }
}
