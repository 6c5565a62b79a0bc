package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// This file defines the schema language of the table of keys. Only the files table*.go define what the site file may
// contain and where it is stored. The checker, the decoder, the hints, the list of keys and the tests all use the same
// table.

// shape is the schema of a value. A value that may be of several kinds has a single shape: its rules for texts apply to
// texts, and so on.
type shape struct {
	kinds  []jsontree.Kind
	words  []string                     // the allowed texts; nil = any text
	spent  []key                        // other texts that are known but have no effect, with the reasons
	form   *form                        // required format of texts; nil = any
	keys   []key                        // for an object
	rest   *key                         // rule for all other keys, whose names the author chooses; nil = not allowed
	needs  []string                     // required keys of an object
	lacks  string                       // code of the finding for a missing required key; "" = missing-key
	wants  string                       // a recommended key of an object; without it, the object is still used
	item   *shape                       // for a list
	most   int                          // maximum number of items in a list; 0 = unlimited
	free   bool                         // any value is allowed here; it is checked elsewhere
	level  string                       // name of this position in the table; "" = its path
	choose func(*jsontree.Value) *shape // returns the shape for a value; nil = this one
}

// key is one key of an object.
type key struct {
	name  string
	shape *shape // nil for keys without effect
	set   setter // stores the value; nil = the keys of the value, or the setter of an enclosing object, store it
	idle  string // why a known key has no effect; "" = it has an effect
	hint  string // for an idle key: what to do instead; "" = no suggestion
	as    string // for an idle key: the value that matches the actual behaviour, such as "false"; "" = none
	quiet bool   // for an idle key: do not report it
}

// form is a rule for the format of texts.
type form struct {
	match *lazyregexp.Regexp
	code  string // code of the finding
	want  string // "must be …"
}

func colorForm() *form {
	return &form{match: hexColor, code: "bad-color", want: "a colour written as #RGB or #RRGGBB"}
}

func languageForm() *form {
	return &form{match: languageCode, code: "bad-value", want: `a language code such as "en" or "pt-BR"`}
}

var (
	hexColor     = lazyregexp.New(`^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
	languageCode = lazyregexp.New(`^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$`)
)

func text() *shape { return &shape{kinds: []jsontree.Kind{jsontree.String}} }

func boolean() *shape { return &shape{kinds: []jsontree.Kind{jsontree.Bool}} }

func number() *shape { return &shape{kinds: []jsontree.Kind{jsontree.Number}} }

// scalar returns the shape of a text, number or boolean, each decoded as text.
func scalar() *shape {
	return &shape{kinds: []jsontree.Kind{jsontree.String, jsontree.Number, jsontree.Bool}}
}

func word(words ...string) *shape {
	return &shape{kinds: []jsontree.Kind{jsontree.String}, words: words}
}

func color() *shape { return &shape{kinds: []jsontree.Kind{jsontree.String}, form: colorForm()} }

func object(keys ...key) *shape { return &shape{kinds: []jsontree.Kind{jsontree.Object}, keys: keys} }

// open returns the shape of an object whose keys the author chooses.
func open(value *shape) *shape {
	s := object()
	s.rest = &key{shape: value}
	return s
}

func listOf(item *shape) *shape { return &shape{kinds: []jsontree.Kind{jsontree.List}, item: item} }

// texts returns the shape of a text or a list of texts.
func texts() *shape { return text().or(listOf(text())) }

// or returns a shape that accepts the values of both shapes. At most one of the two may have rules for texts; the same
// applies to objects and to lists.
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

// needing adds required keys to the shape and returns it.
func (s *shape) needing(code string, keys ...string) *shape {
	s.lacks, s.needs = code, keys
	return s
}

// find returns the key with this name, or the rule for names that the author chooses, or nil.
func (s *shape) find(name string) *key {
	for i := range s.keys {
		if s.keys[i].name == name {
			return &s.keys[i]
		}
	}
	return s.rest
}

// names yields the keys that a misspelled key may be meant as. These are the keys that have an effect.
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

// wanted returns the allowed kinds for a finding: "text or a list".
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
