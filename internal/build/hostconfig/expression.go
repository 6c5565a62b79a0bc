package hostconfig

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// dialect describes the form of the path that a host matches with its regular expressions: as sent, or decoded.
type dialect struct {
	literal func(string) string // escapes literal text
	other   string              // in a negated class: characters that end a path, in addition to the slash and the backslash
	named   bool                // groups have names
}

// decoded matches "a b"; sent matches "a%20b" and the query after the path.
var (
	decoded = dialect{literal: regexp.QuoteMeta}
	sent    = dialect{literal: func(s string) string { return regexp.QuoteMeta(escapePath(s)) }, other: "? "}
)

// one returns an expression for one piece of a path. It does not match backslashes: browsers treat them as slashes, so
// the text after one could become a host.
func (d dialect) one() string { return `[^/\\` + d.other + `]+` }

// pattern returns an expression for the path of a rule, below base, without anchors. groups maps names to the
// numbers of their groups. ok is false if the rule has an expression that engines interpret differently.
func (d dialect) pattern(m link.Moved, base string) (re string, groups map[string]int, ok bool) {
	var b strings.Builder
	b.WriteString(d.literal(base))
	groups = map[string]int{}
	n := 0
	for _, p := range m.Pieces {
		b.WriteString("/" + d.literal(p.Literal))
		if p.Name == "" {
			continue
		}
		inner := d.one()
		switch {
		case p.Many:
			inner += "(?:/" + d.one() + ")*"
		case p.Expr != "":
			if inner, ok = portable(p.Expr); !ok {
				return "", nil, false
			}
		}
		if n++; groups[p.Name] == 0 {
			groups[p.Name] = n
		}
		open := "("
		if d.named {
			open = "(?P<" + letter(n) + ">"
		}
		b.WriteString(open + inner + ")")
	}
	return b.String(), groups, n <= 9
}

// letter returns a name for the nth wildcard. It replaces the author's name, which may have a special meaning to some
// hosts. None of these names is a prefix of another.
func letter(n int) string { return "p" + string(rune('a'+n-1)) }

// destination returns the destination of a rule. ref returns the reference to a group.
func destination(to []link.Text, base string, groups map[string]int, literal func(string) string,
	ref func(int) string) string {
	var b strings.Builder
	if local(to) {
		b.WriteString(literal(base))
	}
	for _, part := range to {
		if part.Name == "" {
			b.WriteString(literal(part.Literal))
		} else {
			b.WriteString(ref(groups[part.Name]))
		}
	}
	return b.String()
}

// portable rewrites an author's expression for one piece of a path in syntax that all engines support and that none
// of them evaluates slowly. ok is false if that is not possible.
func portable(expr string) (re string, ok bool) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil || len(expr) > 200 {
		return "", false
	}
	return portableNode(tree.Simplify(), false)
}

// portableNode rewrites one node. repeated reports whether the node is inside a repetition, where another repetition
// would make some engines backtrack exponentially.
func portableNode(n *syntax.Regexp, repeated bool) (string, bool) {
	switch n.Op {
	case syntax.OpEmptyMatch:
		return "", true
	case syntax.OpLiteral:
		text := string(n.Rune)
		return regexp.QuoteMeta(text), n.Flags&syntax.FoldCase == 0 && !strings.ContainsFunc(text, unusual)
	case syntax.OpCharClass:
		return class(n.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return `[^/\\? ]`, true
	case syntax.OpCapture:
		return portableNode(n.Sub[0], repeated)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		inner, ok := portableNode(n.Sub[0], true)
		mark := map[syntax.Op]string{syntax.OpStar: "*", syntax.OpPlus: "+", syntax.OpQuest: "?"}[n.Op]
		return "(?:" + inner + ")" + mark, ok && !(repeated && n.Op != syntax.OpQuest)
	case syntax.OpConcat, syntax.OpAlternate:
		parts := make([]string, len(n.Sub))
		for i, sub := range n.Sub {
			var ok bool
			if parts[i], ok = portableNode(sub, repeated); !ok {
				return "", false
			}
		}
		if n.Op == syntax.OpConcat {
			return strings.Join(parts, ""), true
		}
		return "(?:" + strings.Join(parts, "|") + ")", true
	}
	return "", false
}

// unusual reports whether hosts represent a character in different forms.
func unusual(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`/\?#%"`, r) }

// class rewrites a set of characters, restricted to those that can occur in a piece of a path. If the set includes all
// characters beyond ASCII, the result also matches the percent sign of their escapes.
func class(pairs []rune) (string, bool) {
	wide := len(pairs) > 0 && pairs[len(pairs)-1] == unicode.MaxRune
	if !wide && len(pairs) > 0 && pairs[len(pairs)-1] >= 0x7f {
		return "", false
	}
	var b strings.Builder
	for r := rune('!'); r < 0x7f; r++ {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] <= r && r <= pairs[i+1] && (!unusual(r) || r == '%' && wide) {
				fmt.Fprintf(&b, `\x%02x`, r)
			}
		}
	}
	return "[" + b.String() + "]", b.Len() > 0
}

// escapePath percent-encodes each piece of a path in the same way as browsers.
func escapePath(p string) string {
	var b strings.Builder
	for i := range len(p) {
		if c := p[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#<>?`{}%\\^|", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// encode percent-encodes additional characters of an address.
func encode(s, chars string) string {
	if !strings.ContainsAny(s, chars) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(chars, s[i]) >= 0 {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
