package tailwind

import (
	"slices"
	"strings"
)

// rule is the meaning of one class. An unknown class has no rule.
type rule struct {
	class    string
	ranks    []int // ranks of its variants, highest first
	order    int   // index of the class's row in the tables
	blocks   []block
	decls    string
	bases    []string
	keyframe string // name of the animation it needs
}

// block is one selector, with the at-rules around it.
type block struct {
	wraps    []string
	selector string
}

const (
	maxClass    = 200 // bytes
	maxVariants = 6
)

// read returns the rule of a class, or nil if the class is unknown.
func (g *Generator) read(class string) *rule {
	if class == "" || len(class) > maxClass || !printable(class) {
		return nil
	}
	parts := splitColons(class)
	if len(parts) > maxVariants+1 {
		return nil
	}
	body, important := strings.CutPrefix(parts[len(parts)-1], "!")
	d, ok := g.declare(body)
	if !ok {
		return nil
	}
	r := &rule{class: class, order: d.order, decls: d.decls, bases: d.bases}
	content, ok := r.vary(parts[:len(parts)-1], d.suffix)
	if !ok {
		return nil
	}
	if content && !strings.Contains(r.decls, "content:") {
		r.decls = "content:var(--tw-content, \"\");" + r.decls
	}
	if _, name, has := strings.Cut(r.decls, "animation:tw-"); has {
		r.keyframe, _, _ = strings.Cut(name, " ")
	}
	if important {
		r.decls = strings.ReplaceAll(r.decls, ";", " !important;") + " !important"
	}
	return r
}

// vary applies the variants, the rightmost first. Variants for a pseudo-element are applied last, because nothing can
// follow a pseudo-element in a selector.
func (r *rule) vary(names []string, suffix string) (content, ok bool) {
	blocks := []block{{selector: "." + escape(r.class)}}
	var last []variant
	for _, name := range slices.Backward(names) {
		v, ok := findVariant(name)
		if !ok {
			return false, false
		}
		r.ranks = append(r.ranks, v.rank)
		if v.rank >= rankElement && v.rank < rankState {
			last = append(last, v)
			continue
		}
		blocks = apply(v, blocks)
	}
	for _, v := range last {
		content = content || v.alts[0].content
		blocks = apply(v, blocks)
	}
	for i := range blocks {
		blocks[i].selector += suffix
	}
	slices.SortFunc(r.ranks, func(a, b int) int { return b - a })
	r.blocks = blocks
	return content, len(blocks) <= 8
}

func apply(v variant, blocks []block) []block {
	var out []block
	for _, a := range v.alts {
		for _, b := range blocks {
			if a.selector != "" {
				b.selector = strings.ReplaceAll(a.selector, "&", b.selector)
			}
			if a.wrap != "" {
				b.wraps = append([]string{a.wrap}, b.wraps...)
			}
			out = append(out, b)
		}
	}
	return out
}

// declared is the declaration of a class that has no variants.
type declared struct {
	order  int
	decls  string
	suffix string
	bases  []string
}

// declare finds a class without variants in the tables, or parses it as a declaration in brackets.
func (g *Generator) declare(body string) (declared, bool) {
	if strings.HasPrefix(body, "[") {
		return written(body)
	}
	bare, negative := strings.CutPrefix(body, "-")
	if d, ok := g.find(bare, "", negative); ok {
		return d, true
	}
	if at := slash(bare); at > 0 {
		return g.find(bare[:at], bare[at+1:], negative)
	}
	return declared{}, false
}

// find tries every split of a class into a name and a value, longest name first.
func (g *Generator) find(body, modifier string, negative bool) (declared, bool) {
	end := len(body)
	if at := strings.IndexByte(body, '['); at >= 0 {
		end = at
	}
	if end == len(body) {
		if d, ok := g.match(body, ".", modifier, negative); ok {
			return d, true
		}
	}
	for i := end - 1; i > 0; i-- {
		if body[i] == '-' {
			if d, ok := g.match(body[:i], body[i+1:], modifier, negative); ok {
				return d, true
			}
		}
	}
	return declared{}, false
}

func (g *Generator) match(name, value, modifier string, negative bool) (declared, bool) {
	for _, e := range index[name] {
		if negative && !e.negative {
			continue
		}
		v, ok := g.value(e, value, modifier)
		if !ok {
			continue
		}
		if negative {
			v.value = minus(v.value)
		}
		decls := strings.ReplaceAll(strings.ReplaceAll(v.before+e.decls, "%clear", v.clear), "$", v.value)
		return declared{e.order, strings.TrimSuffix(decls, ";"), e.suffix, e.bases}, true
	}
	return declared{}, false
}

func (g *Generator) value(e *entry, value, modifier string) (result, bool) {
	if modifier == "" {
		if v, ok := e.words[value]; ok {
			return plain(v), true
		}
		if v, ok := e.bracket(value); ok {
			return plain(v), true
		}
	}
	for _, s := range e.scales {
		if r, ok := g.scale(s, value, modifier); ok {
			return r, true
		}
	}
	return result{}, false
}

func (e *entry) bracket(value string) (string, bool) {
	if len(e.brackets) == 0 {
		return "", false
	}
	inner, k, ok := bracketed(value)
	if !ok {
		return "", false
	}
	for _, want := range e.brackets {
		switch want {
		case "":
			return inner, true
		case "int", "num":
			return inner, k == kindNumber || k == kindUnknown || k == kindLength
		case "len":
			return inner, k == kindLength || k == kindNumber
		case "image":
			return inner, k == kindImage
		case "size":
			return inner, k == kindSize || k == kindLength
		case "position":
			return inner, k == kindPosition
		}
	}
	return "", false
}

func minus(v string) string {
	switch {
	case v == "0":
		return v
	case v[0] == '-':
		return v[1:]
	}
	if v[0] >= '0' && v[0] <= '9' && !strings.Contains(v, " ") {
		return "-" + v
	}
	return "calc(" + v + " * -1)"
}

// written parses a declaration in brackets: [scrollbar-width:none].
func written(body string) (declared, bool) {
	if len(body) < 5 || body[len(body)-1] != ']' {
		return declared{}, false
	}
	name, value, ok := strings.Cut(body[1:len(body)-1], ":")
	if value = unspaced(value); !ok || !identifier(name) || !safeValue(value) {
		return declared{}, false
	}
	return declared{order: 1 << 20, decls: name + ":" + calculations(value)}, true
}
