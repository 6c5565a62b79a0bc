package docsjson

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// This file creates values of the new tree. Each new value has the source position of the old value that it comes from.

func object1(from *jsontree.Value) *jsontree.Value {
	return &jsontree.Value{Kind: jsontree.Object, Doc: from.Doc, Line: from.Line, Column: from.Column}
}

func list1(from *jsontree.Value, items ...*jsontree.Value) *jsontree.Value {
	return &jsontree.Value{Kind: jsontree.List, Items: items, Doc: from.Doc, Line: from.Line, Column: from.Column}
}

func text1(from *jsontree.Value, s string) *jsontree.Value {
	return &jsontree.Value{Kind: jsontree.String, Str: s, Doc: from.Doc, Line: from.Line, Column: from.Column}
}

func flag1(from *jsontree.Value, on bool) *jsontree.Value {
	return &jsontree.Value{Kind: jsontree.Bool, Str: strconv.FormatBool(on), Doc: from.Doc, Line: from.Line,
		Column: from.Column}
}

// each converts every object in a list and keeps other items.
func each(from *jsontree.Value, turn func(*jsontree.Value) *jsontree.Value) *jsontree.Value {
	out := list1(from)
	for _, item := range from.Items {
		if item.Kind == jsontree.Object {
			item = turn(item)
		}
		out.Items = append(out.Items, item)
	}
	return out
}

// first returns the first existing member among keys, or nil.
func first(v *jsontree.Value, keys ...string) *jsontree.Value {
	for _, k := range keys {
		if got := v.Get(k); got != nil && got.Kind != jsontree.Null {
			return got
		}
	}
	return nil
}

// put adds a member if its value is not nil or null.
func put(to *jsontree.Value, key string, v *jsontree.Value) {
	if v != nil && v.Kind != jsontree.Null {
		to.Set(jsontree.Member{Key: key, Value: v, Line: v.Line, Column: v.Column})
	}
}

// child returns the object with this key. It creates the object if it is missing.
func (c *conversion) child(of *jsontree.Value, key string, from *jsontree.Value) *jsontree.Value {
	if got := of.Get(key); got.Is(jsontree.Object) {
		return got
	}
	made := object1(from)
	put(of, key, made)
	return made
}

// member adds a member together with the position of its key, unless its value is null.
func (c *conversion) member(to *jsontree.Value, m jsontree.Member) {
	if m.Value.Kind != jsontree.Null {
		to.Set(m)
	}
}

// set sets a value at a dotted path of the new tree. It ignores nil and null.
func (c *conversion) set(way string, v *jsontree.Value) {
	if v == nil || v.Kind == jsontree.Null {
		return
	}
	at := c.out
	keys := strings.Split(way, ".")
	for _, k := range keys[:len(keys)-1] {
		at = c.child(at, k, v)
	}
	put(at, keys[len(keys)-1], v)
}

// move copies the value at a dotted path of the old tree to a path of the new tree.
func (c *conversion) move(from, to string) {
	v := c.old
	for k := range strings.SplitSeq(from, ".") {
		v = v.Get(k)
	}
	c.set(to, v)
}
