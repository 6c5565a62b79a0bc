package expr

import (
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func (m *machine) stringMethod(s, key string, args []ast.Value, n *callNode) (ast.Value, error) {
	m.steps += len(s) / bytesPerStep
	switch key {
	case "toString":
		return s, nil
	case "toUpperCase", "toLowerCase":
		return m.changeCase(s, key, n.at())
	case "trim":
		return strings.TrimFunc(s, isSpace), nil
	case "trimStart":
		return strings.TrimLeftFunc(s, isSpace), nil
	case "trimEnd":
		return strings.TrimRightFunc(s, isSpace), nil
	case "slice":
		from, to, err := m.bounds(args, length16(s))
		if err != nil {
			return nil, err
		}
		part, err := slice16(s, from, to)
		return part, err
	case "repeat", "padStart", "padEnd":
		return m.lengthen(s, key, args, n.at())
	case "concat":
		var err error
		var v ast.Value = s
		for i := range args {
			var t string
			if t, err = m.toString(args[i]); err != nil {
				return nil, err
			}
			if v, err = m.concat(n.at(), v.(string), t); err != nil {
				return nil, err
			}
		}
		return v, nil
	case "replace", "replaceAll":
		return m.replace(s, key, args, n.at())
	case "split":
		return m.split(s, args, n.at())
	case "includes", "startsWith", "endsWith", "indexOf":
		return m.find(s, key, args)
	}
	return m.unknown(s, key, n)
}

// changeCase converts ASCII characters and characters with exactly one counterpart. All other characters, such as
// German ß and a final Greek Σ, need the engine.
func (m *machine) changeCase(s, key string, at int) (ast.Value, error) {
	for _, r := range s {
		if r >= 0x80 && special(r, key == "toUpperCase") {
			return nil, beyond("letter case of " + string(r))
		}
	}
	if key == "toUpperCase" {
		return m.text(at, strings.ToUpper(s))
	}
	return m.text(at, strings.ToLower(s))
}

// special reports whether the counterpart of a character in the other case consists of several characters or depends on
// the context.
func special(r rune, upper bool) bool {
	if !upper {
		return r == 0x130 || r == 0x3a3
	}
	switch {
	case r == 0xdf, r == 0x149, r == 0x1f0, r == 0x390, r == 0x3b0, r == 0x587, r == 0x345:
		return true
	}
	return 0x1e96 <= r && r <= 0x1e9e || 0x1f50 <= r && r <= 0x1fff || 0xfb00 <= r && r <= 0xfb17 ||
		unicode.Is(unicode.Lt, r)
}

func (m *machine) lengthen(s, key string, args []ast.Value, at int) (ast.Value, error) {
	count, err := m.integer(args, 0, 0)
	if err != nil {
		return nil, err
	}
	if key == "repeat" {
		if f, _ := m.toNumber(argument(args, 0)); count < 0 || f > 1<<53 {
			return nil, &EvalError{at, "repeat needs a count from 0"}
		}
		if s != "" && count > maxBytes/len(s) {
			return nil, errTooLarge(at)
		}
		if s == "" {
			return "", nil
		}
		return m.text(at, strings.Repeat(s, count))
	}
	fill := " "
	if v := argument(args, 1); v != (ast.Value(ast.Undefined{})) {
		if fill, err = m.toString(v); err != nil {
			return nil, err
		}
	}
	missing := count - length16(s)
	if missing <= 0 || fill == "" {
		return s, nil
	}
	if missing > maxBytes {
		return nil, errTooLarge(at)
	}
	pad, err := slice16(strings.Repeat(fill, missing/length16(fill)+1), 0, missing)
	if err != nil {
		return nil, err
	}
	if key == "padStart" {
		return m.concat(at, pad, s)
	}
	return m.concat(at, s, pad)
}

func (m *machine) replace(s, key string, args []ast.Value, at int) (ast.Value, error) {
	if len(args) < 2 {
		return nil, beyond(key + " without a replacement")
	}
	for _, a := range args {
		switch a.(type) {
		case string, float64:
		default:
			return nil, beyond(key + " with other values than text")
		}
	}
	old, with := ast.String(args[0]), ast.String(args[1])
	if strings.Contains(with, "$") {
		return nil, beyond("pattern in a replacement")
	}
	count := 1
	if key == "replaceAll" {
		if count = strings.Count(s, old); old == "" {
			return nil, beyond("replaceAll of nothing")
		}
	}
	if len(s)+count*len(with) > maxBytes {
		return nil, errTooLarge(at)
	}
	return m.text(at, strings.Replace(s, old, with, count))
}

func (m *machine) split(s string, args []ast.Value, at int) (ast.Value, error) {
	if len(args) != 1 {
		return nil, beyond("split with other arguments than a separator")
	}
	sep, ok := args[0].(string)
	if !ok || sep == "" && strings.IndexFunc(s, isWide) >= 0 {
		return nil, beyond("split into half characters")
	}
	if err := m.spend(at, 16*(strings.Count(s, sep)+1)); err != nil {
		return nil, err
	}
	list := []ast.Value{}
	for part := range strings.SplitSeq(s, sep) {
		if sep != "" || part != "" {
			list = append(list, part)
		}
	}
	return list, nil
}

func (m *machine) find(s, key string, args []ast.Value) (ast.Value, error) {
	if len(args) != 1 {
		return nil, beyond(key + " from a position")
	}
	want, err := m.toString(args[0])
	if err != nil {
		return nil, err
	}
	switch key {
	case "startsWith":
		return strings.HasPrefix(s, want), nil
	case "endsWith":
		return strings.HasSuffix(s, want), nil
	}
	i := strings.Index(s, want)
	if key == "includes" {
		return i >= 0, nil
	}
	if i < 0 {
		return -1.0, nil
	}
	return float64(length16(s[:i])), nil
}
