package docsjson

import (
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// This file defines the schema language of the table of keys: only table_*.go define what the site file may contain.
// The checker, the hints, the list of keys and the tests all use the same table.

// shape is the schema of a value. A value that may be of several kinds has one shape: its rules for texts apply to
// texts, and so on.
type shape struct {
	kinds  []jsontree.Kind
	words  []string                     // the texts that are right; nil = any text
	spent  []key                        // further texts that are known and not applied, with their reasons
	form   *form                        // what texts look like; nil = any
	keys   []key                        // of an object
	rest   *key                         // for every other key: the author's own names; nil = there are none
	needs  []string                     // keys that an object must have
	lacks  string                       // code of the finding about one that is missing; "" = missing-key
	wants  string                       // a key that an object should have; without it the object is used all the same
	item   *shape                       // of a list
	most   int                          // items of a list; 0 = any number
	free   bool                         // anything goes: it is checked elsewhere
	level  string                       // the table's name for this place; "" = the way to it
	choose func(*jsontree.Value) *shape // picks the shape by looking at the value; nil = this one
}

// key is one key of an object.
type key struct {
	name  string
	shape *shape // nil for keys that are not applied
	idle  string // why the key is known and not applied; "" = it is
	hint  string // of an idle key: what to do instead; "" = nothing to suggest
	as    string // of an idle key: the value that asks for what happens anyway, such as "false"; "" = none does
	quiet bool   // a key without effect that is not reported
}

// form is a rule for texts.
type form struct {
	match *regexp.Regexp
	code  string // of the finding
	want  string // "must be …"
}

func colorForm() *form {
	return &form{match: hexColor, code: "bad-color", want: "a colour written as #RGB or #RRGGBB"}
}

func languageForm() *form {
	return &form{match: languageCode, code: "bad-value", want: `a language code such as "en" or "pt-BR"`}
}

var (
	hexColor     = regexp.MustCompile(`^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
	languageCode = regexp.MustCompile(`^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$`)
)

func text() *shape { return &shape{kinds: []jsontree.Kind{jsontree.String}} }

func boolean() *shape { return &shape{kinds: []jsontree.Kind{jsontree.Bool}} }

func number() *shape { return &shape{kinds: []jsontree.Kind{jsontree.Number}} }

// scalar returns a text, a number, true or false, each taken as a text.
func scalar() *shape {
	return &shape{kinds: []jsontree.Kind{jsontree.String, jsontree.Number, jsontree.Bool}}
}

func word(words ...string) *shape {
	return &shape{kinds: []jsontree.Kind{jsontree.String}, words: words}
}

func color() *shape { return &shape{kinds: []jsontree.Kind{jsontree.String}, form: colorForm()} }

func object(keys ...key) *shape { return &shape{kinds: []jsontree.Kind{jsontree.Object}, keys: keys} }

func listOf(item *shape) *shape { return &shape{kinds: []jsontree.Kind{jsontree.List}, item: item} }

// texts returns a text or a list of texts.
func texts() *shape { return text().or(listOf(text())) }

// pairOf returns one value for both appearances, or {light, dark}.
func pairOf(one *shape) *shape {
	return one.or(object(key{name: "light", shape: one}, key{name: "dark", shape: one}))
}

// or returns a shape that accepts what either accepts. Only one of the two may have rules for texts, for objects or for
// lists.
func (s *shape) or(o *shape) *shape {
	out := *s
	out.kinds = append(append([]jsontree.Kind{}, s.kinds...), o.kinds...)
	if o.words != nil {
		out.words = o.words
	}
	if o.form != nil {
		out.form = o.form
	}
	if o.spent != nil {
		out.spent = o.spent
	}
	if o.keys != nil || o.rest != nil {
		out.keys, out.rest, out.needs, out.lacks = o.keys, o.rest, o.needs, o.lacks
	}
	if o.item != nil {
		out.item, out.most = o.item, o.most
	}
	return &out
}

// needing returns the shape with required keys.
func (s *shape) needing(code string, keys ...string) *shape {
	s.lacks, s.needs = code, keys
	return s
}

// find returns the key of this name: one of the table, or the rule for the author's own; nil when there is none.
func (s *shape) find(name string) *key {
	for i := range s.keys {
		if s.keys[i].name == name {
			return &s.keys[i]
		}
	}
	return s.rest
}

// names yields the keys that may be meant by a misspelt one: those with a use.
func (s *shape) names(yield func(string) bool) {
	for _, k := range s.keys {
		if k.idle == "" && !yield(k.name) {
			return
		}
	}
}

// accepts reports whether values of this kind are allowed.
func (s *shape) accepts(k jsontree.Kind) bool {
	for _, own := range s.kinds {
		if own == k {
			return true
		}
	}
	return false
}

// wanted names the kinds for a finding: "text or a list".
func (s *shape) wanted() string {
	var names []string
	for _, k := range s.kinds {
		names = append(names, k.String())
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
