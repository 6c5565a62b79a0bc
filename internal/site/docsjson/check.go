package docsjson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// checker validates a tree against the table. It reports invalid values and removes them from the tree, so that the
// decoder finds only valid values.
type checker struct {
	list     *diag.List
	reported map[string]bool     // table paths of ineffective keys that have been reported
	uses     map[string]Use      // keys in the file, by table path; nil = not collected
	homes    map[string][]string // where keys belong, by key name; nil = not computed yet
}

func newChecker(list *diag.List) *checker { return &checker{list: list, reported: map[string]bool{}} }

// place is the path to a value, for findings. It is formatted only if there is a finding.
type place struct {
	up    *place
	key   string // "" for an item of a list
	index int
	level string // name of this position in the table
}

// String returns the path as an author would write it: navigation.tabs[2].groups.
func (p *place) String() string {
	var pieces []string
	for ; p != nil; p = p.up {
		if p.key == "" && p.up != nil {
			pieces = append(pieces, "["+strconv.Itoa(p.index)+"]")
		} else if p.key != "" {
			pieces = append(pieces, "."+p.key)
		}
	}
	slices.Reverse(pieces)
	return strings.TrimPrefix(strings.Join(pieces, ""), ".")
}

// check reports errors in v and returns whether v can be used at all. A null value always counts as absent.
func (c *checker) check(v *jsontree.Value, s *shape, at *place) bool {
	if v.Kind == jsontree.Null || s.free {
		return true
	}
	if s.choose != nil {
		s = s.choose(v)
	}
	if s.level != "" {
		at.level = s.level
	}
	if !s.accepts(v.Kind) {
		c.list.Warnf(v.Pos(), "wrong-type", "%q must be %s, not %s.", at, s.wanted(), v.Kind)
		return false
	}
	switch v.Kind {
	case jsontree.String:
		return c.text(v, s, at)
	case jsontree.Number:
		return s.form == nil || c.text(v, s, at)
	case jsontree.List:
		return c.items(v, s, at)
	case jsontree.Object:
		return c.object(v, s, at)
	}
	return true
}

func (c *checker) text(v *jsontree.Value, s *shape, at *place) bool {
	for _, k := range s.spent {
		if k.name == v.Str {
			c.spent(v, k, at)
			return false
		}
	}
	switch {
	case s.words != nil && !slices.Contains(s.words, v.Str):
		c.list.Warnf(v.Pos(), "bad-value", "%q must be one of %s, not %q.", at, strings.Join(s.words, ", "), v.Str)
		if near := didyoumean.Word(v.Str, slices.Values(s.words)); near != "" {
			c.list.Hint("Did you mean " + strconv.Quote(near) + "?")
		}
		return false
	case s.form != nil && !s.form.match.MatchString(v.Str):
		c.list.Warnf(v.Pos(), s.form.code, "%q must be %s, not %q.", at, s.form.want, v.Str)
		return false
	}
	return true
}

func (c *checker) items(v *jsontree.Value, s *shape, at *place) bool {
	if s.item == nil {
		return true
	}
	out := v.Items[:0]
	for i, item := range v.Items {
		if s.most > 0 && i == s.most {
			c.list.Warnf(item.Pos(), "too-many-items", "%q may have at most %d entries; the rest is ignored.", at,
				s.most)
			break
		}
		if item.Kind == jsontree.Null {
			continue
		}
		if c.check(item, s.item, &place{up: at, index: i, level: at.level + "[]"}) {
			out = append(out, item)
		}
	}
	v.Items = out
	return true
}

func (c *checker) object(v *jsontree.Value, s *shape, at *place) bool {
	for i := range v.Members {
		m := &v.Members[i]
		here := &place{up: at, key: m.Key, level: strings.TrimPrefix(at.level+"."+m.Key, ".")}
		k := s.find(m.Key)
		if k != nil && k == s.rest {
			here.level = strings.TrimPrefix(at.level+".*", ".")
		}
		if !c.known(*m, k, s, here) || !c.check(m.Value, k.shape, here) {
			m.Value = absent(m.Value)
		}
	}
	if s.wants != "" && v.Get(s.wants) == nil {
		c.list.Warnf(v.Pos(), "missing-key", "%q has no %q.", at, s.wants)
	}
	for _, name := range s.needs {
		if got := v.Get(name); got == nil || got.Kind == jsontree.Null {
			return c.lacking(v, s, at, name)
		}
	}
	return true
}

// known reports whether a member must be decoded. k is nil if the key is not in the table.
func (c *checker) known(m jsontree.Member, k *key, s *shape, at *place) bool {
	switch {
	case k == nil:
		c.use(at, Use{Status: Unknown})
		c.list.Warnf(m.Pos(), "unknown-key", "Unknown key %q.", at)
		c.list.Hint(c.instead(m.Key, s))
		return false
	case k.idle != "":
		c.use(at, k.effect())
		if !k.quiet && !c.reported[at.level] && m.Value.Kind != jsontree.Null &&
			(k.as == "" || m.Value.Text() != k.as) {
			c.reported[at.level] = true
			c.list.Warnf(m.Pos(), "inapplicable-key", "%q has no effect: %s.", at, k.idle)
			c.list.Hint(k.hint)
		}
		return false
	}
	c.use(at, k.effect())
	return true
}

// spent reports, once per key, that a value is known but has no effect.
func (c *checker) spent(v *jsontree.Value, k key, at *place) {
	if id := at.level + " " + k.name; !c.reported[id] {
		c.reported[id] = true
		c.list.Warnf(v.Pos(), "inapplicable-key", "The value %q of %q has no effect: %s.", k.name, at, k.idle)
		c.list.Hint(k.hint)
	}
}

// lacking reports a missing required member. It returns whether the object can be used anyway; only the file itself
// can.
func (c *checker) lacking(v *jsontree.Value, s *shape, at *place, name string) bool {
	switch {
	case at.up == nil:
		c.list.Warnf(v.Pos(), "missing-key", "The key %q is missing.", name)
		return true
	case s.lacks != "":
		c.list.Warnf(v.Pos(), s.lacks, "%q needs %q.", at, name)
	default:
		c.list.Warnf(v.Pos(), "missing-key", "%q has no %q.", at, name)
	}
	return false
}

// absent returns a replacement for a value that must not be used.
func absent(v *jsontree.Value) *jsontree.Value {
	return &jsontree.Value{Doc: v.Doc, Line: v.Line, Column: v.Column}
}
