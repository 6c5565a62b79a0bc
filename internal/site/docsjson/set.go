package docsjson

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file contains what decodes a checked tree: the setters, and the constructors of keys that have a shape and a
// setter. Setters store values in the variables whose addresses they received, so each decoder needs a table of its
// own.

// setter stores a value. It is called only with valid values, never with null.
type setter func(*jsontree.Value)

// store passes the members of an object to the setters of their keys, in the order of the table, and descends into
// members whose keys have no setter. Values other than objects have no members.
func store(v *jsontree.Value, s *shape) {
	for i := range s.keys {
		k := &s.keys[i]
		member := v.Get(k.name)
		switch {
		case member == nil || member.Kind == jsontree.Null:
		case k.set != nil:
			k.set(member)
		case k.shape != nil:
			store(member, k.shape)
		}
	}
}

// eachObject returns a setter for an object of shape s or a list of them. The keys of s store into *to. Before each
// object, the setter resets *to to the value that it has now; after each object, it calls done.
func eachObject[T any](to *T, s *shape, done func(*jsontree.Value)) setter {
	start := *to
	return func(v *jsontree.Value) {
		for _, item := range itemsOf(v) {
			*to = start
			store(item, s)
			done(item)
		}
	}
}

func objectKey(name string, keys ...key) key { return key{name: name, shape: object(keys...)} }

// resetKey returns a key whose object replaces all of *to. Fields that the object does not set become zero.
func resetKey[T any](name string, to *T, s *shape) key {
	return key{name: name, shape: s, set: func(v *jsontree.Value) {
		*to = *new(T)
		store(v, s)
	}}
}

func textKey(name string, to *string) key { return key{name: name, shape: text(), set: setText(to)} }

// wordKey returns a key for one of several words.
func wordKey(name string, to *string, words ...string) key {
	return key{name: name, shape: word(words...), set: setText(to)}
}

// textsKey returns a key for a text or a list of texts. It appends them to *to.
func textsKey(name string, to *[]string) key {
	return key{name: name, shape: texts(), set: func(v *jsontree.Value) { *to = append(*to, v.Texts()...) }}
}

// filesKey returns a key for a path or a list of paths.
func filesKey(name string, to *[]File) key {
	return key{name: name, shape: texts(), set: func(v *jsontree.Value) {
		for _, item := range itemsOf(v) {
			path := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(item.Text()), "./"), "/")
			if path != "" {
				*to = append(*to, File{Path: path, Pos: item.Pos()})
			}
		}
	}}
}

// textMapKey returns a key for an object whose keys the author chooses. Its values, of shape s, are stored as texts.
func textMapKey(name string, to *map[string]string, s *shape) key {
	return key{name: name, shape: open(s), set: func(v *jsontree.Value) {
		*to = map[string]string{}
		for _, m := range v.Members {
			if m.Value.Kind != jsontree.Null {
				(*to)[m.Key] = m.Value.Text()
			}
		}
	}}
}

func flagKey(name string, to *bool) key {
	return key{name: name, shape: boolean(), set: func(v *jsontree.Value) { *to = v.True() }}
}

// inverseKey returns a key for a flag that is stored negated.
func inverseKey(name string, to *bool) key {
	return key{name: name, shape: boolean(), set: func(v *jsontree.Value) { *to = !v.True() }}
}

// optionalKey returns a key for a flag that distinguishes false from not set.
func optionalKey(name string, to **bool) key {
	return key{name: name, shape: boolean(), set: func(v *jsontree.Value) {
		on := v.True()
		*to = &on
	}}
}

// colorKey returns a key for a colour, which is stored in lower case.
func colorKey(name string, to *string) key {
	return key{name: name, shape: color(), set: func(v *jsontree.Value) { *to = strings.ToLower(v.Str) }}
}

// colorPairKey returns a key for a colour for both appearances, or {light, dark}. If one of the two is missing, it
// stays empty.
func colorPairKey(name string, to *site.Pair) key {
	s := color().or(object(colorKey("light", &to.Light), colorKey("dark", &to.Dark)))
	return key{name: name, shape: s, set: func(v *jsontree.Value) {
		one := strings.ToLower(v.Text())
		*to = site.Pair{Light: one, Dark: one}
		store(v, s)
	}}
}

// pairKey returns a key for a text for both appearances, or {light, dark}. If one of the two is missing, it is set to
// the other.
func pairKey(name string, to *site.Pair) key {
	s := text().or(object(textKey("light", &to.Light), textKey("dark", &to.Dark)))
	return key{name: name, shape: s, set: func(v *jsontree.Value) {
		*to = both(v)
		store(v, s)
		*to = completed(*to)
	}}
}

// both returns a text for both appearances. For any other value, the texts are empty.
func both(v *jsontree.Value) site.Pair {
	one := collapse(v.Text())
	return site.Pair{Light: one, Dark: one}
}

// completed returns a pair in which a missing text is replaced with the other one.
func completed(p site.Pair) site.Pair {
	return site.Pair{Light: cmp.Or(p.Light, p.Dark), Dark: cmp.Or(p.Dark, p.Light)}
}

// setText returns a setter for a text. The setter collapses white space in the text.
func setText(to *string) setter { return func(v *jsontree.Value) { *to = collapse(v.Text()) } }

// setEqual returns a setter for a flag that is true if the value is a certain word.
func setEqual(to *bool, word string) setter { return func(v *jsontree.Value) { *to = v.Str == word } }

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// numberOf returns a number, or 0 if it is negative or too large.
func numberOf(v *jsontree.Value) float64 {
	n, err := strconv.ParseFloat(v.Str, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// itemsOf returns the items of a list. For any other value, it returns the value as the only item.
func itemsOf(v *jsontree.Value) []*jsontree.Value {
	if v.Kind == jsontree.List {
		return v.Items
	}
	return []*jsontree.Value{v}
}
