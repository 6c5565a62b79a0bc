package ast

import (
	"strings"
	"testing"
)

func TestWeightCountsSharedPartsEachTime(t *testing.T) {
	text := strings.Repeat("x", 1000)
	list := []Value{text, text, &Object{Keys: []string{"k"}, Values: map[string]Value{"k": text}},
		Nodes{&Element{Children: Children{&Text{Value: text}}, Props: []Prop{{Value: text}}}}}
	if got := Weight(list, 1<<20); got < 5000 || got > 5500 {
		t.Errorf("got %d", got)
	}
	var array, object Value = "x", "x"
	nodes := Nodes{&Text{Value: "x"}}
	for range 200 { // expanded, each would be larger than any disk
		array = []Value{array, array}
		object = &Object{Keys: []string{"a", "b"}, Values: map[string]Value{"a": object, "b": object}}
		nodes = Nodes{&Element{Children: Children(nodes)}, &Element{Children: Children(nodes)}}
	}
	for _, v := range []Value{array, object, nodes} {
		if got := Weight(v, 100_000); got != 100_000 {
			t.Errorf("%T: got %d", v, got)
		}
	}
}
