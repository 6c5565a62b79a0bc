package island

import (
	"slices"
	"strings"
	"testing"
)

func TestPreludeHasEveryFileOnce(t *testing.T) {
	entries, err := files.ReadDir("src/server")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".js"))
	}
	listed := slices.Sorted(slices.Values(order()))
	if !slices.Equal(names, listed) {
		t.Errorf("src/server has %v, the prelude joins %v", names, listed)
	}
	if text, err := Prelude(); err != nil || !strings.HasSuffix(text, "return { start, define, call };\n\n})()") {
		t.Errorf("the prelude ends with %q, error %v", text[max(0, len(text)-60):], err)
	}
}
