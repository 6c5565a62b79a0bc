package cssstyle

import "strings"

// hyphenate converts a property's name in JavaScript (backgroundColor, WebkitLineClamp, msFlex) to CSS. It keeps
// names that are already CSS, in lower case, and custom properties (--x) unchanged.
func hyphenate(name string, camel bool) string {
	if strings.HasPrefix(name, "--") {
		return name
	}
	if !camel || strings.Contains(name, "-") {
		return strings.ToLower(name)
	}
	var b strings.Builder
	if strings.HasPrefix(name, "ms") && len(name) > 2 && name[2] >= 'A' && name[2] <= 'Z' {
		b.WriteByte('-')
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('-')
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// safeName reports whether a name contains only characters that are allowed in property names, and is not a property
// that loads code in old browsers.
func safeName(name string) bool {
	custom := strings.HasPrefix(name, "--")
	body := strings.TrimLeft(name, "-")
	if body == "" || len(name) > 100 || len(name)-len(body) > 2 {
		return false
	}
	for i := 0; i < len(body); i++ {
		c := body[i]
		letter := c >= 'a' && c <= 'z' || custom && c >= 'A' && c <= 'Z'
		if !letter && c != '-' && (c < '0' || c > '9' || i == 0 && !custom) && (c != '_' || !custom) {
			return false
		}
	}
	return body != "behavior" && body != "moz-binding" && body != "binding"
}

// safeValue rejects values that could end the declaration or the attribute's element, hide what the value means
// (escapes, comments) or run a script. Strings and brackets must be closed.
func safeValue(value string) bool {
	if strings.Contains(value, "/*") || strings.ContainsAny(value, "\\<>{}") {
		return false
	}
	for _, r := range value {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f {
			return false
		}
	}
	if !closed(value) {
		return false
	}
	squeezed := strings.ToLower(strings.Join(strings.Fields(value), ""))
	for _, bad := range [...]string{"javascript:", "vbscript:", "livescript:", "expression(", "-moz-binding",
		"@import"} {
		if strings.Contains(squeezed, bad) {
			return false
		}
	}
	return safeAddresses(squeezed)
}

// safeAddresses checks each url(…) of a lower-case value without white space. It accepts URLs on the site or the
// web, and images in data URLs, except for SVG, which is a separate document.
func safeAddresses(value string) bool {
	for {
		i := strings.Index(value, "url(")
		if i < 0 {
			return true
		}
		value = value[i+len("url("):]
		dest := strings.TrimLeft(value, `"'`)
		end := strings.IndexAny(dest, "\"')")
		if end >= 0 {
			dest = dest[:end]
		}
		scheme, rest, ok := strings.Cut(dest, ":")
		if !ok || strings.ContainsAny(scheme, "/?#.") {
			continue
		}
		switch {
		case scheme == "https", scheme == "http":
		case scheme == "data" && strings.HasPrefix(rest, "image/") && !strings.HasPrefix(rest, "image/svg"):
		default:
			return false
		}
	}
}

// closed reports whether each quote and bracket of a value is closed.
func closed(value string) bool {
	depth := 0
	var quote byte
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quote != 0:
			if c == '\n' || c == '\r' {
				return false
			}
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0 && quote == 0
}

// split splits s at each sep that is outside quotes and brackets.
func split(s string, sep byte) []string {
	var parts []string
	start, depth := 0, 0
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == sep && depth == 0:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// unitless reports whether a plain number in a property has no unit. In other properties, it is a number of pixels.
func unitless(name string) bool {
	switch strings.TrimPrefix(strings.TrimPrefix(name, "-webkit-"), "-ms-") {
	case "animation-iteration-count", "aspect-ratio", "border-image-outset", "border-image-slice", "border-image-width",
		"box-flex", "box-flex-group", "box-ordinal-group", "column-count", "columns", "flex", "flex-grow",
		"flex-positive", "flex-shrink",
		"flex-negative", "flex-order", "grid-area", "grid-row", "grid-row-end", "grid-row-span", "grid-row-start",
		"grid-column",
		"grid-column-end", "grid-column-span", "grid-column-start", "font-weight", "line-clamp", "line-height",
		"opacity", "order",
		"orphans", "scale", "tab-size", "widows", "z-index", "zoom", "fill-opacity", "flood-opacity", "stop-opacity",
		"stroke-dasharray",
		"stroke-dashoffset", "stroke-miterlimit", "stroke-opacity", "stroke-width":
		return true
	}
	return false
}
