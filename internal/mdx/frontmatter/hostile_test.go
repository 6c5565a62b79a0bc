package frontmatter

import (
	"runtime"
	"strings"
	"testing"
)

// C8: front matter takes memory in proportion to its size, no matter what it contains, and errors have a line and a
// column.
func TestHostileFrontMatterTakesBoundedMemory(t *testing.T) {
	const size, most = 61 << 10, 64 << 20
	for name, unit := range map[string]string{"brackets": "[", "braces": "{", "objects": "{a: ", "dashes": "- ",
		"question marks": "? ", "anchors": "&a ", "colons": ": "} {
		src := "---\ntitle: " + strings.Repeat(unit, size/len(unit)) + "\n---\nbody\n"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, list := Parse("p.mdx", []byte(src))
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("%s: %d kB of front matter took %d MB", name, size>>10, got>>20)
		}
		if !list.HasErrors() || list[0].Code != "front-matter-syntax" || list[0].File != "p.mdx" || list[0].Line != 2 ||
			list[0].Column < 1 {
			t.Errorf("%s: %v", name, list)
		}
	}
}
