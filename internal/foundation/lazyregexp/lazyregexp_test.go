package lazyregexp

import "testing"

func TestPatternsMatchAsInStandardLibrary(t *testing.T) {
	r := New(`(\w+)-(\d+)`)
	if got := r.ReplaceAllString("page-12 and item-7", "$2"); got != "12 and 7" {
		t.Errorf("ReplaceAllString: got %q", got)
	}
	if got := r.FindStringSubmatch("see page-12"); len(got) != 3 || got[1] != "page" || got[2] != "12" {
		t.Errorf("FindStringSubmatch: got %q", got)
	}
	if r.MatchString("page") {
		t.Error(`"page" has no number and must not match`)
	}
}

func TestInvalidPatternPanicsInTestPrograms(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New accepted an unclosed group")
		}
	}()
	New(`(`)
}
