package clip

import "testing"

func TestBytesCutsBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aé", 2, "a…"}, {"日本", 3, "日…"}, {"日本", 5, "日…"}, {"abc", 0, "…"}} {
		if got := Bytes(c.s, c.n); got != c.want {
			t.Errorf("%q cut at %d: %q, want %q", c.s, c.n, got, c.want)
		}
	}
}
