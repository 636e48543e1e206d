"""The code of probes (proofs/gates/probes): functions whose postconditions, and lemmas which, must stay unproved."""
import re

import printed

COUNT = re.compile(r"(const )?(size_t|unsigned (int|long)|uint\d+_t) (const )?\w+$")
SUCCESS = re.compile(r"(_Bool|attcert_status|.*(\*|_ptr))( const)?$")


class Signature:
    """Of a function: what it returns, and its parameters."""

    def __init__(self, function):
        header = re.sub(r"\(\s*(\w+)\s*\)\s*\(", r"\1(", function.header)
        before, _, inside = header.partition(function.name + "(")
        self.name, self.returns = function.name, re.sub(r"\b(extern|static|inline)\b", "", before).strip()
        self.parameters, depth, current = [], 0, ""
        for character in inside.rpartition(")")[0] + ",":
            depth += (character in "([") - (character in ")]")
            if character == "," and depth == 0:
                self.parameters.append(current.strip())
                current = ""
            else:
                current += character
        if self.parameters == ["void"]:
            self.parameters = []
        self.names = [re.search(r"(\w+)\s*(\[[^]]*\])*$", parameter)[1] for parameter in self.parameters]
        self.counts = [name for name, parameter in zip(self.names, self.parameters) if COUNT.match(parameter)]
        self.says_success = bool(SUCCESS.match(self.returns))
        self.is_status = self.returns.startswith("attcert_status")
        self.nothing = "0" if "_ptr" not in self.returns and "*" not in self.returns else "\\null"

    def call(self, names):
        return f"{self.name}({', '.join(names)})"

    def attempt(self, result, names):
        """Code that returns 0 if the call fails."""
        if not self.says_success:
            return [self.call(names) + ";"]
        return [f"{self.returns} {result} = {self.call(names)};", f"if ({'' if self.is_status else '!'}{result}) return 0;"]


def text(tokens):
    return " ".join(tokens)


def unnamed(clause):
    return clause[2:] if clause[1:2] == (":",) else clause


def denial(statements):
    only = statements[0] if len(statements) == 1 else ()
    if len(only) == 3 and only[1] in ("==", "!="):
        return f"{only[0]} {'!=' if only[1] == '==' else '=='} {only[2]}"
    if only:
        return f"!({text(only)})"
    return "!(" + " && ".join(f"({text(statement)})" for statement in statements) + ")"


def denials(function, signature):
    """What must not be provable after a call."""
    found, settled = [], False
    for clause in map(unnamed, function.clauses_of("ensures")):
        *conditions, conclusion = printed.split(clause, "==>")
        settled |= not conditions and clause[:1] == ("\\result",) and clause[1] in ("==", "!=")
        if conditions:
            found.append(denial(conditions))
        alternatives = printed.split(conclusion, "||")
        if len(alternatives) > 1 and not {"?", "<==>"} & set(clause):
            found += [denial([alternative]) for alternative in alternatives]
    if signature.says_success and not settled:
        found += [f"\\result == {signature.nothing}", f"\\result != {signature.nothing}"]
    return list(dict.fromkeys(found)) or ["\\false"]


def requirements(function, signature, renamed=()):
    """As clauses; `renamed`: a parameter, and the name it has instead."""
    found = []
    for clause in function.clauses_of("requires"):
        words = [renamed[1] if renamed and word == renamed[0] and before not in ("->", ".") else word
                 for before, word in zip(("", *clause), clause)]
        found.append(f"requires {text(words)};")
    return found + [f"requires counts: 1 <= {name};" for name in signature.counts if not renamed]


class Probes:
    """Those of a file."""

    def __init__(self, file):
        self.file, self.code, self.quick, self.slow = file, [], {}, {}  # what it means that a probe is proved, by name

    def probe(self, meaning, slow=False):
        """The name of another one; a slow one gets more time."""
        name = f"probe{len(self.quick) + len(self.slow)}"
        (self.slow if slow else self.quick)[name] = meaning
        return name

    def function(self, name, about, returns, parameters, body, requires, denied, slow=False):
        clauses = [f"ensures {self.probe(f'{about}: {meaning}', slow)}: {statement};" for statement, meaning in denied]
        self.code.append("/*@ {} */\n{} {}({}) {{\n  {}\n}}\n".format(
            "\n    ".join(requires + clauses), returns, name, ", ".join(parameters) or "void", "\n  ".join(body)))

    def call(self, function, tested):
        """One call. If tests evaluate its clauses, these come to pass: no more is asked than that they are consistent."""
        signature = Signature(function)
        call = signature.call(signature.names) + ";"
        self.function(f"probe_{function.name}", function.name, signature.returns, signature.parameters,
                      [call if signature.returns == "void" else "return " + call],
                      requirements(function, signature),
                      [(denied, f"it is proved that {denied}") for denied in (["\\false"] if tested else denials(function, signature))])

    def entry(self, function):
        """The preconditions of a proved function, which no proof establishes."""
        signature = Signature(function)
        self.function(f"probe_{function.name}", function.name, "void", signature.parameters, [";"],
                      requirements(function, signature), [("\\false", "it is proved that nothing fulfils its preconditions")])

    def again(self, gives, takes):
        """Room given, taken back and given again; and given twice, to two objects."""
        give, take = Signature(gives), Signature(takes)
        returned = re.sub(r" ?\w+$", "", take.parameters[0]) == give.returns
        if not returned and (len(take.names) != 1 or take.parameters[0] != give.parameters[0]):
            return
        requires, other = requirements(gives, give), (give.names[0], "other")
        first, second = give.attempt("first", give.names), give.attempt("second", give.names)
        back = take.call(["first" if returned else give.names[0]]) + ";"
        never = ("\\result == 0", "it is proved that this never succeeds")
        elsewhere = ("\\result != 2", "it is proved that memory given back is never given out again")
        self.function(f"probe_{give.name}_again", f"{give.name}, {take.name}, {give.name}", "int", give.parameters,
                      [*first, back, *second, "return first == second ? 2 : 1;" if returned else "return 1;"], requires,
                      [never, elsewhere] if returned else [never], slow=True)
        parameters = give.parameters
        if not returned:
            second = give.attempt("second", ["other", *give.names[1:]])
            parameters = [*parameters, re.sub(r"\w+$", "other", parameters[0])]
            requires = [*requires, *requirements(gives, give, other), f"requires apart: \\separated({other[0]}, other);"]
        self.function(f"probe_{give.name}_twice", f"{give.name} twice", "int", parameters,
                      [*first, *second, "return 1;"], requires, [never], slow=True)

    def lemmas(self):
        """All that are known in the file."""
        self.function("probe_lemmas", "the lemmas", "void", [], [";"], [], [("\\false", "they prove a falsehood")])

    def predicate(self, definition):
        """Of all that it may speak of: labels, parameters."""
        name = self.probe(f"{definition.name}: it is proved that nothing fulfils this predicate")
        head = definition.tokens[:next(i for i, token in enumerate(definition.tokens) if token in ("(", "="))]
        applied, quantified = text(head), ""
        if definition.parameters:
            arguments = [parameter[-1] for parameter in printed.split(definition.parameters, ",")]
            applied, quantified = f"{applied}({', '.join(arguments)})", f"\\forall {text(definition.parameters)}; "
        self.code.append(f"/*@ check lemma {name}{text(head[1:])}: {quantified}!{applied}; */\n")
