package tailwind

import "strings"

type kind int

const (
	kindUnknown kind = iota // var(--x), words
	kindColor
	kindLength // also percentages and calculations
	kindNumber
	kindImage
	kindShadow
	kindSize
	kindPosition
)

// functionNames lists the functions that a value in brackets may use. None of them loads a resource.
const functionNames = `calc min max clamp var env rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix linear-gradient radial-gradient
	conic-gradient repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient repeat minmax fit-content cubic-bezier steps
	linear blur brightness contrast grayscale invert opacity saturate sepia hue-rotate drop-shadow translate translateX translateY translate3d
	rotate scale scaleX scaleY skew circle ellipse inset polygon counter counters attr round`

// colorNames lists the colours that authors write by name in brackets. Other colours are numeric.
const colorNames = `black white red green blue yellow orange purple pink brown gray grey silver gold navy teal olive lime aqua cyan magenta
	fuchsia maroon indigo violet tomato coral salmon khaki crimson transparent currentColor currentcolor rebeccapurple`

var (
	functions   = words(functionNames)
	namedColors = words(colorNames)
	hints       = map[string]kind{"color": kindColor, "length": kindLength, "percentage": kindLength,
		"line-width": kindLength, "number": kindNumber,
		"integer": kindNumber, "image": kindImage, "shadow": kindShadow, "size": kindSize, "position": kindPosition,
		"bg-size":     kindSize,
		"family-name": kindUnknown, "generic-name": kindUnknown, "absolute-size": kindLength,
		"relative-size": kindLength}
)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

const maxValue = 200 // bytes

// bracketed parses a value in brackets and returns its type. "_" is a space, "\_" an underscore; [length:var(--x)]
// states the type explicitly.
func bracketed(s string) (string, kind, bool) {
	if len(s) < 3 || len(s) > maxValue || s[0] != '[' || s[len(s)-1] != ']' {
		return "", 0, false
	}
	inner := s[1 : len(s)-1]
	hinted, known := kindUnknown, false
	if hint, rest, has := strings.Cut(inner, ":"); has {
		if hinted, known = hints[hint]; known {
			inner = rest
		}
	}
	if inner = unspaced(inner); !safeValue(inner) {
		return "", 0, false
	}
	inner = calculations(inner)
	if known {
		return inner, hinted, true
	}
	return inner, kindOf(inner), true
}

func unspaced(s string) string {
	if !strings.Contains(s, "_") {
		return s
	}
	s = strings.ReplaceAll(s, `\_`, "\x00")
	// Names of custom properties keep their underscores.
	var b strings.Builder
	name := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if strings.HasPrefix(s[i:], "--") && (i == 0 || s[i-1] == '(') {
			name = true
		} else if c == ')' || c == ',' || c == ' ' {
			name = false
		}
		if c == '_' && !name {
			c = ' '
		}
		b.WriteByte(c)
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\x00", "_"))
}

// safeValue reports whether a value is safe in a declaration: it is ASCII outside quotes, closes all brackets and
// quotes, uses only permitted functions, and contains nothing that ends a declaration, a rule or the style element.
func safeValue(s string) bool {
	if s == "" || strings.Contains(s, "/*") {
		return false
	}
	var open []byte
	quote, word := byte(0), 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == 0x7f || c > 0x7f && quote == 0 || strings.IndexByte(`;{}<>\@!&`, c) >= 0 {
			return false
		}
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			if c == '(' && i > word && !functions[called(s[word:i])] {
				return false
			}
			open = append(open, c)
		case c == ')' || c == ']':
			if len(open) == 0 || (open[len(open)-1] == '(') != (c == ')') {
				return false
			}
			open = open[:len(open)-1]
		}
		if !nameByte(c) || quote != 0 {
			word = i + 1
		}
	}
	return quote == 0 && len(open) == 0
}

// called returns the function's name from text such as "100px-var", which is a subtraction.
func called(word string) string {
	if digit(word[0]) {
		_, word, _ = strings.Cut(word, "-")
	}
	return strings.TrimLeft(word, "-")
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-'
}

func digit(c byte) bool { return '0' <= c && c <= '9' || c == '.' }

// kindOf guesses the type of a value from its form.
func kindOf(s string) kind {
	name, _, call := strings.Cut(s, "(")
	switch {
	case strings.Contains(s, " ") && !call || len(splitOutside(s, ' ')) > 1:
		return kindOfRow(s)
	case s[0] == '#' || namedColors[s]:
		return kindColor
	case call && (strings.HasSuffix(name, "gradient")):
		return kindImage
	case call && (name == "calc" || name == "min" || name == "max" || name == "clamp"):
		return kindLength
	case call && (strings.HasPrefix(name, "rgb") || strings.HasPrefix(name, "hsl") ||
		strings.HasPrefix(name, "color") || strings.HasPrefix(name, "ok") ||
		name == "lab" || name == "lch" || name == "hwb"):
		return kindColor
	case digit(s[0]) || len(s) > 1 && (s[0] == '-' || s[0] == '+') && digit(s[1]):
		if strings.Trim(s, "0123456789.+-") == "" && s != "0" {
			return kindNumber
		}
		return kindLength
	}
	return kindUnknown
}

// kindOfRow returns the type of a value with several words. A shadow begins with lengths and ends with a colour.
func kindOfRow(s string) kind {
	parts := splitOutside(s, ' ')
	first := parts[0]
	if first == "inset" && len(parts) > 1 {
		first = parts[1]
	}
	if kindOf(first) == kindLength && len(parts) > 2 {
		return kindShadow
	}
	return kindUnknown
}

// splitOutside splits at separators outside brackets. It treats repeated separators as one.
func splitOutside(s string, sep byte) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == sep && depth == 0:
			if i > start {
				out = append(out, s[start:i])
			}
			start = i + 1
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth--
		}
	}
	return out
}

// calculations adds spaces around operators, as in calc(100%-2rem). CSS requires the spaces, but class names cannot
// contain them.
func calculations(s string) string {
	if !strings.Contains(s, "calc(") && !strings.Contains(s, "min(") && !strings.Contains(s, "max(") &&
		!strings.Contains(s, "clamp(") {
		return s
	}
	var b strings.Builder
	var stack []bool // for each open bracket: whether it contains arithmetic
	word := 0        // start of the current word
	for i := 0; i < len(s); i++ {
		c := s[i]
		math := len(stack) > 0 && stack[len(stack)-1]
		operand := i > word && (digit(s[word]) || s[i-1] == '%') || i > 0 && s[i-1] == ')'
		switch {
		case c == '(':
			switch name := s[word:i]; name {
			case "calc", "min", "max", "clamp":
				stack = append(stack, true)
			case "":
				stack = append(stack, math)
			default:
				stack = append(stack, false)
			}
		case c == ')' && len(stack) > 0:
			stack = stack[:len(stack)-1]
		case math && (c == '*' || c == '/' || (c == '+' || c == '-') && operand):
			b.WriteString(" " + string(c) + " ")
			word = i + 1
			continue
		}
		b.WriteByte(c)
		if !nameByte(c) && c != '.' && c != '%' {
			word = i + 1
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
