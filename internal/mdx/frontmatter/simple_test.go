package frontmatter

import (
	"reflect"
	"testing"
)

func TestCommonFrontMatterTakesTheFastPath(t *testing.T) {
	for head, want := range map[string]bool{
		"title: \"Start: here\"\ndescription: Install the program, then run it.\n": true,
		"title: Quickstart\nicon: \"rocket\"":                                      true, "": true,
		"title: yes\n": false, "title: a: b\n": false, "title: \"a\\n\"\n": false, "title: 'x'\n": false,
		"title: Longer # words\n": false, "hidden: true\n": false,
		"title: Longer\ntitle: Longer\n": false, "title: Longer\n  words\n": false, "title: \"a\" b\"\n": false,
		"title:\n": false, "title: Longer\r\n": false,
	} {
		if _, ok := simple([]byte(head)); ok != want {
			t.Errorf("%q: %v", head, ok)
		}
	}
}

// The fast path gives the same result as the YAML library.
func FuzzSimpleHeadsAreYAML(f *testing.F) {
	for _, s := range []string{"title: \"Start: here\"\ndescription: Install it, then run it.\n", "title: Longer words",
		"icon: \"x y\"\ntag: Newest\nsidebarTitle: It's (a) test/of-all_kinds.", "title: infinity", "title: \"- a\"",
		"title: Falsehood"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		got, ok := simple(head)
		if !ok {
			return
		}
		want, list := parseYAML("p.mdx", head)
		if len(list) > 0 || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %+v, the library reads %+v %v", head, got, want, list)
		}
	})
}
