"""Finds places in Swift sources that can be changed, and writes sources that hold all changes at once.

Each change has a number, and the environment variable BETWIXT_MUTANT turns one of them on: a
comparison becomes an operator of its own whose number is in its name, a guard gets a way round it,
a call a switch. So nothing is compiled again from one change to the next.
"""
import re

COMPARISONS = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
DIGITS = "^~|%"

# Calls that change how fast something is, and never what it is.
COSTLESS = re.compile(r"\b(checkInvariants|Cost\.count|reserveCapacity|assert|assertionFailure|precondition)\(")

SUPPORT = """
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

public let activeMutant: Int = {
  guard let text = unsafe getenv("BETWIXT_MUTANT") else { return 0 }
  return unsafe Int(String(cString: text)) ?? 0
}()

/// Another number in place of one.
public func mutantNumber<T>(_ id: Int, _ number: T, _ other: T) -> T {
  activeMutant == id ? other : number
}

/// Whether a guard is passed or a statement is left out.
public func mutantSkips(_ id: Int) -> Bool { activeMutant == id }
"""


def operator_name(kind, number):
    """An operator that holds its number: digits to the base of the characters it may have."""
    text = ""
    while number:
        text = DIGITS[number % len(DIGITS)] + text
        number //= len(DIGITS)
    return {"compare": "<~", "logic": "^~"}[kind] + text


def is_value(lines, place):
    """Whether a line is all that a function, getter or closure does: it may be what is returned."""
    before, after = lines[place - 1].rstrip(), lines[min(place + 1, len(lines) - 1)].strip()
    opens = before.endswith(("{", " in"))
    return opens and after == "}" and not re.match(r"\s*(\} )?(if|else|for|while|guard|do|defer)\b", before)


class Mutants:
    """Finds places in source lines and writes what stands there instead."""

    def __init__(self):
        self.found = []
        self.declarations = []

    def add(self, path, line, what, refused):
        if (path, line, what) in refused:
            return None
        self.found.append((path, line, what))
        return len(self.found)

    def lines(self, path, lines, refused):
        """The lines of a file with all its mutants."""
        changed = []
        for number, text in enumerate(lines, 1):
            text = self.line(path, number, text, refused)
            if not is_value(lines, number - 1):
                text = self.calls(path, number, text, refused)
            changed.append(text)
        return changed

    def line(self, path, number, text, refused):
        code = text.split("//")[0]
        if not code.strip() or '"' in code or code.lstrip().startswith(("@", "#", "import", "case ")):
            return text
        if re.search(r"\b(func|init|struct|enum|extension|protocol|typealias|class|operator)\b", code):
            return text
        text = self.guards(path, number, text, refused)
        text = self.comparisons(path, number, text, refused)
        return self.numbers(path, number, text, refused)

    def guards(self, path, number, text, refused):
        match = re.match(r"^(\s*(?:\} else )?(guard|if)) ([^{]+?)( else \{.*| \{.*)$", text)
        if not match or re.search(r"\b(let|var|case|is)\b|,|#", match[3]):
            return text
        word, condition = match[2], match[3]
        if condition.count("(") != condition.count(")"):
            return text
        mutant = self.add(path, number, f"{word} {condition} left out", refused)
        if not mutant:
            return text
        way = f"mutantSkips({mutant}) ||" if word == "guard" else f"!mutantSkips({mutant}) &&"
        return f"{match[1]} {way} ({condition}){match[4]}"

    def comparisons(self, path, number, text, refused):
        def swap(match):
            sign = match[1]
            if match.string[match.end():].startswith("nil"):
                return match[0]
            mutant = self.add(path, number, f"{sign} at column {match.start() + 1}", refused)
            if not mutant:
                return match[0]
            if sign in COMPARISONS:
                name = operator_name("compare", mutant)
                bound = "Equatable" if sign in ("==", "!=") else "Comparable"
                self.declarations.append(
                    f"infix operator {name}: ComparisonPrecedence\n"
                    f"public func {name} <T: {bound}>(_ a: T, _ b: T) -> Bool {{\n"
                    f"  activeMutant == {mutant} ? a {COMPARISONS[sign]} b : a {sign} b\n}}\n")
            else:
                name = operator_name("logic", mutant)
                group = "LogicalConjunctionPrecedence" if sign == "&&" else "LogicalDisjunctionPrecedence"
                other = "||" if sign == "&&" else "&&"
                self.declarations.append(
                    f"infix operator {name}: {group}\n"
                    f"public func {name} (_ a: Bool, _ b: @autoclosure () throws -> Bool) rethrows -> Bool {{\n"
                    f"  activeMutant == {mutant} ? try a {other} b() : try a {sign} b()\n}}\n")
            return f" {name} "

        if "mutantSkips" in text:
            head, tail = text.split("(", 2)[:2], text.split("(", 2)[2] if text.count("(") > 1 else ""
            return "(".join(head) + "(" + re.sub(r" (<=|>=|==|!=|<|>|&&|\|\|) ", swap, tail)
        return re.sub(r" (<=|>=|==|!=|<|>|&&|\|\|) ", swap, text)

    def numbers(self, path, number, text, refused):
        def swap(match):
            mutant = self.add(path, number, f"{match[1]} 1 at column {match.start() + 1}", refused)
            return f"{match[1]} mutantNumber({mutant}, 1, 0)" if mutant else match[0]

        return re.sub(r"(?<= )(&?[+-]) 1\b(?![.\w])", swap, text)

    def calls(self, path, number, text, refused):
        if '"' in text:
            return text
        match = re.match(r"^(\s+)((?:try )?(?:self\.)?[a-z]\w*(?:\.[a-z]\w*|\[[^\]]*\]|\?)*\(.*\))$", text)
        if not match or match[2].count("(") != match[2].count(")") or "mutant" in text:
            return text
        if re.match(r"(return|throw)\b", match[2]) or COSTLESS.search(match[2]):
            return text
        mutant = self.add(path, number, f"call left out: {match[2]}", refused)
        return f"{match[1]}if !mutantSkips({mutant}) {{ {match[2]} }}" if mutant else text
