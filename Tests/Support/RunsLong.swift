import Foundation

/// Whether the long forms of tests run: BETWIXT_LONG=1.
package let runsLong = ProcessInfo.processInfo.environment["BETWIXT_LONG"] == "1"
