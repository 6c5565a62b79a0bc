package fingerprint

import (
	"testing"
	"time"
)

type part struct {
	Name  string
	inner *int
	list  []part
}

func TestEqualValuesHaveEqualDigests(t *testing.T) {
	one, two, other := 1, 1, 2
	a := part{"x", &one, []part{{Name: "y"}}}
	if Of(a) != Of(part{"x", &two, []part{{Name: "y"}}}) {
		t.Error("the digest depends on addresses")
	}
	seen := map[Sum]string{Of(a): "a"}
	for name, v := range map[string]any{
		"unexported": part{"x", &other, []part{{Name: "y"}}}, "nil": part{"x", nil, []part{{Name: "y"}}},
		"list":   part{"x", &one, nil},
		"longer": part{"x", &one, []part{{Name: "y"}, {}}}, "pointer": &a, "map": map[string]int{"a": 1, "b": 2},
		"map2":   map[string]int{"a": 2, "b": 1},
		"joined": []string{"ab", "c"}, "joined2": []string{"a", "bc"}, "bytes": []byte("abc"),
		"bytes2": [3]byte{1, 2, 3}, "float": 0.5, "bool": true, "time": time.Unix(5, 0).UTC().Unix(),
	} {
		if before := seen[Of(v)]; before != "" {
			t.Errorf("%s and %s have the same digest", name, before)
		}
		seen[Of(v)] = name
	}
}

func TestMapOrderDoesNotChangeTheDigest(t *testing.T) {
	m := map[string]string{}
	for i := range 100 {
		m[string(rune('a'+i))] = "x"
	}
	first := Of(m)
	for range 20 {
		if again := Of(m); again != first {
			t.Fatal("the digest depends on the order of a map")
		}
	}
}

func TestFunctionsAreRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a function was accepted")
		}
	}()
	Of(func() {})
}
