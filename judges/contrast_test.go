package judges

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// paper matches a scheme's background in a theme's style sheet.
var paper = regexp.MustCompile(`--paper:\s*(#[0-9a-fA-F]{3,6})\b`)

// TestOurDocsColoursAreReadable checks the colours in our own docs.json against WCAG 2 AA before the renderer adjusts
// any of them. In e2e/browser, axe checks the rendered pages in Chromium.
func TestOurDocsColoursAreReadable(t *testing.T) {
	t.Parallel()
	note := judged(t, "colours of our docs", npmVersion(t, "color"))
	css, err := os.ReadFile(filepath.Join("..", "web", "theme", "src", "tokens.css"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{filepath.Join("..", "docs", "docs.json")}
	for _, found := range paper.FindAllStringSubmatch(string(css), -1) {
		if !slices.Contains(args, found[1]) {
			args = append(args, found[1])
		}
	}
	out, err := nodeCommand(t, "contrast.mjs", args...).Output()
	var pairs []struct {
		Pair         string
		Ratio, Least float64
	}
	if err == nil {
		err = json.Unmarshal(out, &pairs)
	}
	if err != nil || len(pairs) < 7 {
		t.Fatalf("%v\n%s", err, out)
	}
	lowest := pairs[0].Ratio
	for _, p := range pairs {
		lowest = min(lowest, p.Ratio)
		if p.Ratio < p.Least {
			t.Errorf("%s: %.2f:1, want %.1f:1", p.Pair, p.Ratio, p.Least)
		}
	}
	*note = fmt.Sprintf("lowest %.2f:1", lowest)
}
