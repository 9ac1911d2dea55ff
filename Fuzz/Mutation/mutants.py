"""Finds places in Swift sources that can be changed, and writes sources that hold all changes at once.

Each change has a number, and the environment variable BETWIXT_MUTANT turns one of them on: a
comparison becomes an operator of its own whose number is in its name, a guard gets a way round it,
a call a switch. So nothing is compiled again from one change to the next.
"""
import re

COMPARISONS = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
DIGITS = "^~|%"

# Calls that change how fast something is, and never what it is.
COSTLESS = re.compile(r"\b(checkInvariants|Cost\.count|reserve|reserveCapacity|assert|assertionFailure|precondition)\(")

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

/// Whether a statement is left out.
public func mutantSkips(_ id: Int) -> Bool { activeMutant == id }

/// The condition of a guard, passed whatever it says.
public func mutantPasses(_ id: Int, _ condition: Bool) -> Bool { activeMutant == id || condition }

/// The condition of an if, refused whatever it says.
public func mutantRefuses(_ id: Int, _ condition: Bool) -> Bool { activeMutant != id && condition }
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
        if "reserveCapacity(" in code or re.search(r"\b(func|init|struct|enum|extension|protocol|typealias|class|operator)\b", code):
            return text
        edits = []
        for find in (self.guards, self.comparisons, self.numbers):
            edits += find(path, number, code, refused)
        # From the right, so that the places of the others stay.
        for start, end, change in sorted(edits, reverse=True):
            text = text[:start] + change + text[end:]
        return text

    def guards(self, path, number, text, refused):
        """The condition of a guard or an if that only decides: passed, or never true."""
        match = re.match(r"^(\s*(?:\} else )?(guard|if) )([^{]+?)( else \{.*| \{.*)$", text)
        if not match or re.search(r"\b(let|var|case|is|try)\b|,|#", match[3]):
            return []
        word, condition = match[2], match[3]
        if condition.count("(") != condition.count(")"):
            return []
        mutant = self.add(path, number, f"{word} {condition} left out", refused)
        way = {"guard": "mutantPasses", "if": "mutantRefuses"}[word]
        (start, end) = match.span(3)
        return [(start, start, f"{way}({mutant}, "), (end, end, ")")] if mutant else []

    def comparisons(self, path, number, text, refused):
        """Comparisons turned round, and one logical operator for the other."""
        edits = []
        for match in re.finditer(r" (<=|>=|==|!=|<|>|&&|\|\|) ", text):
            sign = match[1]
            if text.startswith("nil", match.end()):
                continue
            mutant = self.add(path, number, f"{sign} at column {match.start() + 2}", refused)
            if not mutant:
                continue
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
            edits.append((match.start(), match.end(), f" {name} "))
        return edits

    def numbers(self, path, number, text, refused):
        """One that is added or subtracted: nothing instead."""
        edits = []
        for match in re.finditer(r"(?<= )(&?[+-]) 1\b(?![.\w])", text):
            mutant = self.add(path, number, f"{match[1]} 1 at column {match.start() + 1}", refused)
            if mutant:
                edits.append((match.start(), match.end(), f"{match[1]} mutantNumber({mutant}, 1, 0)"))
        return edits

    def calls(self, path, number, text, refused):
        if '"' in text:
            return text
        match = re.match(r"^(\s+)((?:try )?(?:self\.)?[a-z]\w*(?:\.[a-z]\w*|\[[^\]]*\]|\?)*\(.*\))$", text)
        if not match or match[2].count("(") != match[2].count(")") or "mutant" in text:
            return text
        if re.match(r"(return|throw|private|init|self\.init)\b", match[2]) or COSTLESS.search(match[2]):
            return text
        mutant = self.add(path, number, f"call left out: {match[2]}", refused)
        return f"{match[1]}if !mutantSkips({mutant}) {{ {match[2]} }}" if mutant else text
