package tailwind

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Theme holds the site's colours that class names can refer to, as #rgb or #rrggbb. For empty and invalid values, the
// theme's own colours are used.
type Theme struct {
	Primary, PrimaryLight, PrimaryDark string
	BackgroundLight, BackgroundDark    string
}

// maxKnown is the maximum number of classes that a generator caches. It limits the memory use.
const maxKnown = 20_000

// Generator generates style sheets. It is safe for concurrent use.
type Generator struct {
	site map[string]rgb // not changed after New

	mu    sync.RWMutex
	known map[string]*rule // rules by class; nil for unknown classes
}

// New returns a generator for a site.
func New(t Theme) *Generator {
	g := &Generator{known: map[string]*rule{},
		site: map[string]rgb{"background-light": {255, 255, 255}, "background-dark": {14, 16, 20}}}
	for name, value := range map[string]string{
		"primary": t.Primary, "primary-light": t.PrimaryLight, "primary-dark": t.PrimaryDark,
		"background-light": t.BackgroundLight, "background-dark": t.BackgroundDark,
	} {
		if c, ok := parseHex(value); ok {
			g.site[name] = c
		}
	}
	return g
}

// Themed reports whether the declaration of a class may depend on the Theme. All other classes have the same
// declarations on every site.
func Themed(class string) bool {
	return strings.Contains(class, "primary") || strings.Contains(class, "background-")
}

func (g *Generator) rule(class string) *rule {
	g.mu.RLock()
	r, ok := g.known[class]
	g.mu.RUnlock()
	if ok {
		return r
	}
	r = g.read(class)
	g.mu.Lock()
	if len(g.known) < maxKnown {
		g.known[strings.Clone(class)] = r
	}
	g.mu.Unlock()
	return r
}

// CSS returns the style sheet for a set of classes, or nil if it knows none of them. Equal sets produce equal bytes.
func (g *Generator) CSS(classes []string) []byte {
	classes = slices.Clone(classes)
	slices.Sort(classes)
	var rules []*rule
	for _, c := range slices.Compact(classes) {
		if r := g.rule(c); r != nil {
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	slices.SortStableFunc(rules, func(a, b *rule) int {
		return cmp.Or(slices.Compare(a.ranks, b.ranks), cmp.Compare(a.order, b.order))
	})
	var b bytes.Buffer
	b.WriteString("@layer utilities{")
	writeBases(&b, rules)
	writeRules(&b, rules)
	b.WriteString("}")
	writeKeyframes(&b, rules)
	return b.Bytes()
}

// writeBases resets the parts of composed values. :where gives it a lower specificity than every class.
func writeBases(b *bytes.Buffer, rules []*rule) {
	selectors := map[string][]string{}
	for _, r := range rules {
		for _, base := range r.bases {
			for _, bl := range r.blocks {
				if !strings.Contains(bl.selector, "::") { // pseudo-elements are not allowed in :where
					selectors[base] = append(selectors[base], bl.selector)
				}
			}
		}
	}
	names := make([]string, 0, len(selectors))
	for name := range selectors {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.WriteString(":where(" + strings.Join(slices.Compact(selectors[name]), ",") + "){" + bases[name] + "}")
	}
}

// writeRules puts adjacent rules that have the same at-rules inside a single at-rule.
func writeRules(b *bytes.Buffer, rules []*rule) {
	var open []string
	put := func(bl block, r *rule) {
		if !slices.Equal(open, bl.wraps) {
			b.WriteString(strings.Repeat("}", len(open)))
			for _, w := range bl.wraps {
				b.WriteString(w + "{")
			}
			open = bl.wraps
		}
		b.WriteString(bl.selector + "{" + r.decls + "}")
		if r.class == "container" || strings.HasSuffix(r.class, ":container") {
			writeContainer(b, bl.selector)
		}
	}
	// Rules with the same set of variants are written together: first those without an at-rule, then those with one.
	for start := 0; start < len(rules); {
		end := start + 1
		for end < len(rules) && slices.Equal(rules[start].ranks, rules[end].ranks) {
			end++
		}
		for nth := 0; ; nth++ {
			any := false
			for _, r := range rules[start:end] {
				if nth < len(r.blocks) {
					put(r.blocks[nth], r)
					any = true
				}
			}
			if !any {
				break
			}
		}
		start = end
	}
	b.WriteString(strings.Repeat("}", len(open)))
}

func writeContainer(b *bytes.Buffer, selector string) {
	for _, px := range []string{"640", "768", "1024", "1280", "1536"} {
		b.WriteString("@media (min-width: " + px + "px){" + selector + "{max-width:" + px + "px}}")
	}
}

func writeKeyframes(b *bytes.Buffer, rules []*rule) {
	done := map[string]bool{}
	for _, r := range rules {
		if frames, ok := keyframes[r.keyframe]; ok && !done[r.keyframe] {
			done[r.keyframe] = true
			b.WriteString("@media (prefers-reduced-motion: no-preference){@keyframes tw-" + r.keyframe + "{" + frames +
				"}}")
		}
	}
}

// Meaning returns the declarations of a class, as "name:value;…", regardless of the conditions under which they apply.
// ok is false if the class is unknown.
func (g *Generator) Meaning(class string) (css string, ok bool) {
	if r := g.rule(class); r != nil {
		return r.decls, true
	}
	return "", false
}
