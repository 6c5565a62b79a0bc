package main

import (
	"regexp"
	"slices"
	"strings"
)

// need is something that a page must have before a selector can match: a class ".", an id "#", an element "<" or an
// attribute "[". An attribute has an operator such as "*=" and a value, or the operator "" for any value.
type need struct {
	kind            byte
	name, op, value string
}

var (
	identifier = regexp.MustCompile(`^-?(?:[\w-]|[^\x00-\x7f]|\\.)+`)
	attribute  = regexp.MustCompile(`^\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]+)).*)?\]`)
	escape     = regexp.MustCompile(`\\(.)`)
)

// needsOf lists the needs of a selector as the browser serializes it. It omits alternatives and whatever the selector
// excludes. For ":is(own,:where(instead))", which the translation of style sheets generates, the second part counts.
func needsOf(selector string) (out []need) {
	for i := 0; i < len(selector); {
		rest := selector[i:]
		switch c := rest[0]; {
		case c == '[':
			m := attribute.FindStringSubmatch(rest[:len(bracketed(rest))])
			if m != nil && m[1] == "class" && m[2] != "" && m[2] != "=" {
				out = append(out, need{'.', "", m[2], m[3] + m[4] + m[5]})
			} else if m != nil {
				out = append(out, need{'[', m[1], m[2], m[3] + m[4] + m[5]})
			}
			i += len(bracketed(rest))
		case c == ':':
			name := strings.TrimLeft(rest, ":")
			name = name[:len(identifier.FindString(name))]
			i += strings.Index(rest, name) + max(len(name), 1)
			if i < len(selector) && selector[i] == '(' {
				inner := bracketed(selector[i:])
				out = append(out, needsInside(name, strings.TrimSuffix(inner[1:], ")"))...)
				i += len(inner)
			}
		case (c == '.' || c == '#') && identifier.MatchString(rest[1:]):
			name := identifier.FindString(rest[1:])
			out = append(out, need{kind: c, name: escape.ReplaceAllString(name, "$1")})
			i += 1 + len(name)
		case identifier.MatchString(rest):
			name := identifier.FindString(rest)
			out = append(out, need{kind: '<', name: strings.ToLower(name)})
			i += len(name)
		default:
			i++
		}
	}
	return out
}

// needsInside lists the needs of a pseudo-class's argument.
func needsInside(function, inner string) []need {
	list := alternatives(inner)
	switch {
	case function == "is" && len(list) == 2 && strings.HasPrefix(list[1], ":where("):
		return needsInside("where", strings.TrimSuffix(strings.TrimPrefix(list[1], ":where("), ")"))
	case slices.Contains([]string{"is", "where", "has"}, function) && len(list) == 1:
		return needsOf(inner)
	}
	return nil
}

// bracketed returns the start of text up to the bracket that closes its first bracket.
func bracketed(text string) string {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}

// alternatives returns the selectors of a list.
func alternatives(list string) (out []string) {
	depth, start := 0, 0
	for i := range len(list) {
		switch c := list[i]; {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == ',' && depth == 0:
			out, start = append(out, strings.TrimSpace(list[start:i])), i+1
		}
	}
	return append(out, strings.TrimSpace(list[start:]))
}

// met reports whether a class or an attribute's value satisfies the need.
func (n need) met(value string) bool {
	switch n.op {
	case "":
		return n.name == value || n.kind == '['
	case "^=":
		return strings.HasPrefix(value, n.value)
	case "$=":
		return strings.HasSuffix(value, n.value)
	case "*=":
		return strings.Contains(value, n.value)
	case "~=":
		return slices.Contains(strings.Fields(value), n.value)
	}
	return value == n.value || n.op == "|=" && strings.HasPrefix(value, n.value+"-")
}
