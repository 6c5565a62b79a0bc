package expr

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func (m *machine) numberMethod(f float64, key string, args []ast.Value, n *callNode) (ast.Value, error) {
	switch key {
	case "toString":
		if radix, err := m.integer(args, 0, 10); err != nil || radix != 10 {
			return nil, beyond("number in another base")
		}
		return ast.Number(f), nil
	case "toFixed":
		digits, err := m.integer(args, 0, 0)
		if err != nil {
			return nil, err
		}
		if digits < 0 || digits > 100 {
			return nil, &EvalError{n.at(), "toFixed needs 0 to 100 digits"}
		}
		return toFixed(f, digits), nil
	}
	return m.unknown(f, key, n)
}

// toFixed rounds the exact binary value. It rounds halves away from zero.
func toFixed(f float64, digits int) string {
	if math.IsNaN(f) || math.Abs(f) >= 1e21 {
		return ast.Number(f)
	}
	scaled := new(big.Rat).SetFloat64(math.Abs(f))
	scaled.Mul(scaled, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)))
	scaled.Add(scaled, big.NewRat(1, 2))
	text := new(big.Int).Quo(scaled.Num(), scaled.Denom()).String()
	if digits > 0 {
		if len(text) <= digits {
			text = strings.Repeat("0", digits+1-len(text)) + text
		}
		text = text[:len(text)-digits] + "." + text[len(text)-digits:]
	}
	if f < 0 {
		return "-" + text
	}
	return text
}

// mathFunction evaluates Math.name for functions whose result is the same in all engines.
func mathFunction(name string, args []float64) (float64, bool) {
	x := math.NaN()
	if len(args) > 0 {
		x = args[0]
	}
	switch name {
	case "abs":
		return math.Abs(x), true
	case "floor":
		return math.Floor(x), true
	case "ceil":
		return math.Ceil(x), true
	case "trunc":
		return math.Trunc(x), true
	case "sqrt":
		return math.Sqrt(x), true
	case "round":
		return round(x), true
	case "sign":
		if x > 0 {
			return 1, true
		} else if x < 0 {
			return -1, true
		}
		return x, true
	case "max", "min":
		return extreme(name, args), true
	}
	return 0, false
}

// round rounds halves up, not away from zero.
func round(x float64) float64 {
	f := math.Floor(x)
	if x-f >= 0.5 {
		f = math.Ceil(x)
	}
	if f == 0 && math.Signbit(x) {
		return math.Copysign(0, -1)
	}
	return f
}

func extreme(name string, args []float64) float64 {
	out := math.Inf(-1)
	if name == "min" {
		out = math.Inf(1)
	}
	for _, a := range args {
		if name == "max" {
			out = math.Max(out, a)
		} else {
			out = math.Min(out, a)
		}
		if math.IsNaN(a) {
			return a
		}
	}
	return out
}

// number reads a number:
//
//	number = digits ["." digits] [exponent] | "." digits [exponent] | "0x" hex | "0o" octal | "0b" binary
//
// Underscores may separate digits.
func (p *parser) number() {
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		exponent := (c == '+' || c == '-') && p.pos > start && (p.src[p.pos-1]|0x20) == 'e' &&
			!hasBase(p.src[start:p.pos])
		if !exponent && c != '.' && (!isWord(c) || c == '\\' || c == '#') {
			break
		}
		if r, _ := utf8.DecodeRuneInString(p.src[p.pos:]); c >= 0x80 && isSpace(r) {
			break
		}
		if c == '.' && (hasBase(p.src[start:p.pos]) || strings.ContainsAny(p.src[start:p.pos], ".eE")) {
			break // 1..toString, 0x1.a: the dot begins a member access
		}
		p.pos++
	}
	text := p.src[start:p.pos]
	if digits, ok := strings.CutSuffix(text, "n"); ok && digits != "" && !strings.Contains(digits, ".") {
		p.fail(beyond("big integer"))
		return
	}
	value, ok := parseNumber(text)
	if !ok {
		p.syntax(start, "not a number: "+text)
		return
	}
	p.tok = lexed{kind: tNumber, number: value, start: start, end: p.pos}
}

func hasBase(text string) bool {
	return len(text) >= 2 && text[0] == '0' && strings.IndexByte("xXoObB", text[1]) >= 0
}

// parseNumber parses a number literal as written.
func parseNumber(text string) (float64, bool) {
	if strings.Contains(text, "_") {
		digit := isDigit
		if hasBase(text) {
			digit = isHexDigit
		}
		for i := range len(text) {
			if text[i] == '_' && (i == 0 || i+1 == len(text) || !digit(text[i-1]) || !digit(text[i+1])) {
				return 0, false
			}
		}
		if len(text) > 1 && text[0] == '0' && text[1] == '_' {
			return 0, false
		}
		text = strings.ReplaceAll(text, "_", "")
	}
	if hasBase(text) {
		return parseBase(text)
	}
	if len(text) > 1 && text[0] == '0' && isDigit(text[1]) { // legacy octal, which is an error in modules
		return 0, false
	}
	return parseDecimal(text)
}

// parseDecimal parses digits, a dot and an exponent. It rejects other syntax that strconv accepts.
func parseDecimal(text string) (float64, bool) {
	digits := 0
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c):
			digits++
		case c == '.', c == 'e', c == 'E', (c == '+' || c == '-') && i > 0 && (text[i-1]|0x20) == 'e':
		default:
			return 0, false
		}
	}
	if digits == 0 {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// parseBase parses numbers that start with 0x, 0o or 0b.
func parseBase(text string) (float64, bool) {
	base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[text[1]|0x20]
	if len(text) > 14 {
		n, ok := new(big.Int).SetString(text[2:], base)
		if !ok || text[2] == '-' || text[2] == '+' {
			return 0, false
		}
		f, _ := new(big.Float).SetInt(n).Float64()
		return f, true
	}
	n, err := strconv.ParseUint(text[2:], base, 64)
	return float64(n), err == nil
}

func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
