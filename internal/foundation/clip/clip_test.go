package clip

import "testing"

func TestBytesCutsBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aé", 2, "a…"}, {"日本", 3, "日…"}, {"日本", 5, "日…"},
		{"abc", 0, "…"}} {
		if got := Bytes(c.s, c.n); got != c.want {
			t.Errorf("%q cut at %d: %q, want %q", c.s, c.n, got, c.want)
		}
	}
}

func TestRunesCountsCharacters(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"", 3, ""}, {"日本語", 3, "日本語"}, {"日本語x", 3, "日本語…"}, {"abc", 0, "…"}, {"a\xff\xfec", 2, "a\uFFFD…"}} {
		if got := Runes(c.s, c.n); got != c.want {
			t.Errorf("%q cut at %d: %q, want %q", c.s, c.n, got, c.want)
		}
	}
}

func TestWordsCutsAtASpace(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 3, ""}, {"one two", 7, "one two"}, {"one two three", 9, "one two…"}, {"a longestword", 8, "a longe…"},
		{"日本語日本語", 4, "日本語…"}, {"abc", 2, "a…"}, {"abc", 1, ""}, {"abc", 0, ""},
	} {
		if got := Words(c.s, c.n); got != c.want {
			t.Errorf("%q cut at %d: %q, want %q", c.s, c.n, got, c.want)
		}
	}
}
