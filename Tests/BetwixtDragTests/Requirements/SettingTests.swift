import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// N-01 to N-05: the numbers and what may change them.
struct SettingTests {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  @Test("N-01: changes of lists of tasks take 200 to 300 ms, reorders on springs")
  func n01() {
    let profile = DragProfile.tasks
    let motions = [
      profile.lift, profile.shift, profile.settle, profile.snapBack, profile.tabSwitch,
      profile.delete, profile.editFocus, profile.wayBack, profile.stateChange,
    ]
    for motion in motions { #expect((200...300).contains(motion.duration)) }
    for motion in [profile.lift, profile.shift, profile.settle, profile.snapBack] {
      #expect(motion.curve != .easeInOut)
    }
    for motion in [profile.tabSwitch, profile.delete, profile.editFocus, profile.stateChange] {
      #expect(motion.curve == .easeInOut)
    }
  }

  @Test("N-02: a whole drag without motion and without haptics")
  func n02() {
    for isReduced in [true, false] {
      var settings = DragSettings(.itinerary)
      settings.reduceMotion = isReduced
      settings.haptics = !isReduced
      var host = DragHost(.trip(sample.trip), settings)
      var log = host.send(.press(.item(sample.leg), .touch, host.point(sample.leg), at: 0))
      log += host.send(.timer(.longPress, at: 300))
      log += host.move(host.point(sample.museum, 0.1))
      log += host.move(host.point(sample.lunch, 0.1))
      log += host.release(host.point(sample.lunch, 0.1))
      let felt = log.contains {
        switch $0 {
        case .haptic, .prepareHaptics: true
        default: false
        }
      }
      #expect(felt == !isReduced)
      let motions = log.animations.filter { $0.changes != .opacity(0) && $0.delay == 0 }
      #expect(motions.contains { $0.duration > 0 } == !isReduced)
      #expect(log.animations.contains { $0.changes.scale == 1.025 } == !isReduced)
      let fades = log.lines.map { line in
        switch line {
        case .show(_, _, let style): style.fade
        case .hide(let fade): fade
        }
      }
      #expect(fades == (isReduced ? [0, 0] : [150, 150]))
      // How long to press and to offer undo is not motion.
      #expect(log.contains(.startTimer(.longPress, delay: 300)))
      #expect(log.contains(.startTimer(.toast, delay: 5_000)))
    }
  }

  @Test("N-02: springs become even changes of the same length")
  func n02Easing() {
    let eased = DragProfile.itinerary.easingOnly
    #expect(eased.lift == Motion(150) && eased.settle == Motion(200))
    #expect(eased.snapBack == Motion(200) && eased.shift == Motion(100))
    #expect(eased.liftScale == 1.025)
  }

  @Test("N-03: what an event does is bounded by the rows it touches")
  func n03() throws {
    var me = Replica(test: 4)
    var list = ReplicatedList(id: ListID(high: 4, low: 4))
    for number in 0..<2_000 {
      try list.append(["title": .string("\(number)")], toSection: 1, by: &me)
    }
    var host = DragHost(.trip(Trip(list)))
    let middle = list[1_000].id
    host.offset = host.minY(.item(middle)) - 200
    host.layOut()
    host.lift(middle)
    var steps = 0
    for y in stride(from: 200.0, to: 400, by: 4) {
      for animation in host.move(DragPoint(x: 9, y: y)).animations {
        guard case .rows(let rows) = animation.target else { continue }
        #expect(rows.count == 1)
        steps += 1
      }
    }
    // 200 points are a few rows.
    #expect((2...4).contains(steps))
    #expect(host.engine.studyCount == 1)
  }

  @Test("N-04: one edit for each commit, date and order together")
  func n04() throws {
    let tasks = try SampleTasks()
    var host = DragHost(.tasks(tasks.tasks), tab: .upcoming)
    host.lift(tasks.bank)
    let commits = host.release(host.point(tasks.party, 0.1)).commits
    #expect(commits.count == 1 && commits[0].count == 1)
    #expect(host.document.list.delta(since: tasks.tasks.list.version).count == 1)
  }

  @Test("N-05: days are civil dates, also around days of 23 and 25 hours")
  func n05() throws {
    // Clocks changed in Europe on both days, in America a week apart.
    for text in ["2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01"] {
      let date = try #require(CivilDate(text))
      for offset in [-1, 0, 1] as [Int64] {
        let shifted: CivilDate? = date + offset
        let today = try #require(shifted)
        var me = Replica(test: 2)
        var tasks = try TaskList(id: ListID(high: 2, low: 2), by: &me)
        let task = try tasks.add("Pack", on: today, by: &me)
        var engine = DragEngine(DragSettings(.tasks))
        _ = engine.handle(.today(today))
        _ = engine.handle(.document(.tasks(tasks)))
        let strip = DragFrame(x: 0, y: 400, width: 320, height: 56)
        let row = RowFrame(.item(task), minY: 0, maxY: 60)
        var layout = ListLayout(
          container: .today, rows: [row], width: 320, viewportHeight: 400, contentHeight: 60,
          tabStrip: strip)
        _ = engine.handle(.layout(layout))
        _ = engine.handle(.lift(.item(task), .touch, DragPoint(x: 9, y: 30), at: 0))
        _ = engine.handle(.moved(DragPoint(x: 200, y: 420), at: 1))
        _ = engine.handle(.timer(.tabHover, at: 501))
        layout.container = .upcoming
        layout.rows = []
        _ = engine.handle(.layout(layout))
        let commits = engine.handle(.released(DragPoint(x: 9, y: 30), at: 502)).commits
        let tomorrow = Gap(day: today.dayNumber + 1, above: nil, below: nil)
        #expect(commits == [[.move(task, tomorrow)]])
      }
    }
  }
}
