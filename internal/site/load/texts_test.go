package load

import (
	"fmt"
	"strings"
	"testing"
)

func TestInternedStringsAreUnchanged(t *testing.T) {
	for name, texts := range map[string]*texts{"together": {}, "alone": nil} {
		var want, got []string
		for i := range 5000 {
			s := strings.Repeat(fmt.Sprint(i), i%40)
			if i%500 == 0 {
				s = strings.Repeat("long ", textPiece/5)
			}
			want, got = append(want, s), append(got, texts.keep(s))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: text %d became %.40q", name, i, got[i])
			}
		}
		if list := texts.keepAll(nil); list != nil {
			t.Errorf("%s: an empty list became %q", name, list)
		}
	}
}

func TestShortStringsShareAllocations(t *testing.T) {
	kept := &texts{}
	n := testing.AllocsPerRun(1000, func() { kept.keep("The title of a page") })
	if n > 0.1 {
		t.Errorf("%.2f allocations for each text", n)
	}
}
