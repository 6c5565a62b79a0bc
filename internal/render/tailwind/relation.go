package tailwind

import "strings"

// otherVariant parses variants that take a value or refer to another element.
func otherVariant(name string) (variant, bool) {
	if strings.HasPrefix(name, "[") {
		return arbitraryVariant(name)
	}
	head, rest, _ := strings.Cut(name, "-")
	switch head {
	case "group", "peer":
		return relative(head, rest)
	case "prose":
		tags, ok := prose[rest]
		return one(rankChild+1, "", `& :is(:where(`+tags+`):not(:where([class~="not-prose"],[class~="not-prose"] *)))`),
			ok
	case "supports":
		inner, _, ok := bracketed(rest)
		if !strings.Contains(inner, ":") {
			inner += ": var(--tw)"
		}
		return one(rankSupports, "@supports ("+inner+")", ""), ok
	}
	if cond, ok := condition(name); ok {
		return one(rankAttribute, "", "&"+cond), true
	}
	return variant{}, false
}

// relative parses variants such as group-hover, peer-checked, group-hover/item and group-data-[open].
func relative(marker, rest string) (variant, bool) {
	rest, label, labelled := strings.Cut(rest, "/")
	class := "." + marker
	if labelled {
		if !identifier(label) {
			return variant{}, false
		}
		class += `\/` + label
	}
	rank := rankState + 100
	cond, ok := condition(rest)
	if s, is := states[rest]; is {
		cond, ok, rank = s.value, true, rank+s.rank
	}
	if marker == "peer" {
		return one(rank+100, "", class+cond+" ~ &"), ok
	}
	return one(rank, "", class+cond+" &"), ok
}

// condition parses variants such as aria-expanded, aria-[sort=ascending], data-[state=open], data-open and
// has-[:checked]. It does not support not-[…].
func condition(name string) (string, bool) {
	head, value, ok := strings.Cut(name, "-")
	if !ok {
		return "", false
	}
	inner, _, isBracket := bracketed(value)
	switch {
	case head == "aria" && ariaTrue[value]:
		return `[aria-` + value + `="true"]`, true
	case (head == "aria" || head == "data") && isBracket:
		return attribute(head + "-" + inner)
	case head == "has" && isBracket && safeSelector(inner):
		return ":has(" + inner + ")", true
	}
	return "", false
}

// attribute returns [name=value] with the value in quotes.
func attribute(text string) (string, bool) {
	name, value, has := strings.Cut(text, "=")
	if !identifier(name) {
		return "", false
	}
	if !has {
		return "[" + name + "]", true
	}
	value = strings.Trim(value, `"'`)
	if strings.ContainsAny(value, `"'\[]`) {
		return "", false
	}
	return "[" + name + `="` + value + `"]`, true
}

func identifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if !nameByte(s[i]) && s[i] != '_' {
			return false
		}
	}
	return s != ""
}

// arbitraryVariant parses variants such as [&_p], [&:hover] and [@media_print]. A selector must contain "&" and must
// select only the element itself or its descendants.
func arbitraryVariant(name string) (variant, bool) {
	if len(name) < 3 || len(name) > maxValue || name[len(name)-1] != ']' {
		return variant{}, false
	}
	inner := strings.TrimSpace(strings.ReplaceAll(name[1:len(name)-1], "_", " "))
	if media, ok := strings.CutPrefix(inner, "@media "); ok {
		if !safeQuery(media) {
			return variant{}, false
		}
		return one(rankArbitrary, "@media "+media, ""), true
	}
	if !strings.Contains(inner, "&") || !safeSelector(inner) {
		return variant{}, false
	}
	return one(rankArbitrary, "", inner), true
}

// safeQuery reports whether a text contains only characters that media queries consist of.
func safeQuery(s string) bool {
	depth := 0
	for _, c := range []byte(s) {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case !nameByte(c) && strings.IndexByte(" :.,/%", c) < 0:
			return false
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && s != ""
}

// safeSelector reports whether a text is a compound selector with combinators, attributes and pseudo-classes. Lists,
// escapes and strings with unusual characters are not permitted.
func safeSelector(s string) bool {
	depth := 0
	for _, c := range []byte(s) {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case !nameByte(c) && strings.IndexByte(" &>~+:.#*='\"^$_", c) < 0:
			return false
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && strings.Count(s, `"`)%2 == 0 && strings.Count(s, `'`)%2 == 0
}
