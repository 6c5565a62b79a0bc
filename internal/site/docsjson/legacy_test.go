package docsjson

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Every folder of testdata/upgrade contains a mint.json and the docs.json that it is converted to. Both must describe
// the same site.
func TestUpgradeGoldens(t *testing.T) {
	dirs, err := filepath.Glob("testdata/upgrade/*")
	if err != nil || len(dirs) < 4 {
		t.Fatalf("goldens %v, %v", dirs, err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			old, err := os.ReadFile(filepath.Join(dir, "mint.json"))
			if err != nil {
				t.Fatal(err)
			}
			got, list, err := Upgrade(fstest.MapFS{"mint.json": {Data: old}})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, filepath.Join(dir, "docs.json"), string(got))
			compare(t, filepath.Join(dir, "findings.txt"), lines(list))
			before, reported := load(map[string]string{"mint.json": string(old)})
			after, _ := load(map[string]string{"docs.json": string(got)})
			for _, d := range reported {
				if d.Line < 1 || d.File != "mint.json" {
					t.Errorf("%v has no place", d)
				}
			}
			after.File = before.File
			unplace(reflect.ValueOf(before))
			unplace(reflect.ValueOf(after))
			if !reflect.DeepEqual(before, after) {
				t.Errorf("read from mint.json\n%+v\nread from docs.json\n%+v", before, after)
			}
		})
	}
}

func lines(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintln(&b, d)
	}
	return b.String()
}

func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v, got\n%s", golden, err, got)
	}
}

func TestUpgradeRefusesAnUnreadableFile(t *testing.T) {
	if _, _, err := Upgrade(fstest.MapFS{}); err == nil {
		t.Error("a folder without mint.json is upgraded")
	}
	text, list, err := Upgrade(fstest.MapFS{"mint.json": {Data: []byte(`{"name": `)}})
	if text != nil || err != nil || !list.HasErrors() {
		t.Errorf("%s %v %v", text, list, err)
	}
}

// FuzzUpgrade checks that a file results in the same Config before and after the upgrade.
func FuzzUpgrade(f *testing.F) {
	goldens, err := filepath.Glob("testdata/upgrade/*/mint.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range goldens {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range []string{`{"navigation":[{"version":1,"pages":[[]]}],"versions":[{},"x",null]}`,
		`{"tabs":[{"name":"a","url":""}],"anchors":[1],"navigation":["a"]}`,
		`{"font":1,"api":[],"metadata":{"a":{}},"colors":{"anchors":{}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if strings.Contains(string(data), "$ref") { // names other files
			return
		}
		sameSite(t, data)
	})
}

// sameSite fails unless the older file and its upgrade result in the same Config.
func sameSite(t *testing.T, data []byte) {
	t.Helper()
	text, _, err := Upgrade(fstest.MapFS{"mint.json": {Data: data}})
	if err != nil || text == nil {
		return
	}
	before, list := load(map[string]string{"mint.json": string(data)})
	after, _ := load(map[string]string{"docs.json": string(text)})
	for _, d := range list {
		if d.Line < 1 || d.Column < 1 {
			t.Fatalf("no position: %v", d)
		}
	}
	after.File = before.File
	unplace(reflect.ValueOf(before))
	unplace(reflect.ValueOf(after))
	if !reflect.DeepEqual(before, after) {
		t.Fatalf("%s\nread from mint.json\n%+v\nread from docs.json\n%+v\n%s", data, before, after, text)
	}
}

// grower generates JSON with keys from a list. The bytes of a fuzz input determine the content.
type grower struct {
	choices []byte
	words   []string
	b       strings.Builder
}

func (g *grower) next(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := int(g.choices[0])
	g.choices = g.choices[1:]
	return c % n
}

// object writes an object with these keys.
func (g *grower) object(keys []string) {
	g.b.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			g.b.WriteByte(',')
		}
		fmt.Fprintf(&g.b, "%q:", key)
		g.value(0)
	}
	g.b.WriteByte('}')
}

func (g *grower) value(depth int) {
	kind := g.next(8)
	if depth > 6 || len(g.choices) == 0 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		fmt.Fprintf(&g.b, "%q", g.words[g.next(len(g.words))])
	case 2:
		g.b.WriteString([]string{"null", "true", "false", "7"}[g.next(4)])
	case 3, 4, 5:
		g.b.WriteByte('{')
		for i := range g.next(6) {
			if i > 0 {
				g.b.WriteByte(',')
			}
			fmt.Fprintf(&g.b, "%q:", g.words[g.next(len(g.words))])
			g.value(depth + 1)
		}
		g.b.WriteByte('}')
	default:
		g.b.WriteByte('[')
		for i := range g.next(5) {
			if i > 0 {
				g.b.WriteByte(',')
			}
			g.value(depth + 1)
		}
		g.b.WriteByte(']')
	}
}

// legacyWords returns every key of mint.json, and texts that have a meaning in it.
func legacyWords() []string {
	words := []string{"a", "a/b", "v1", "v2", "https://example.com", "#aabbcc", "GET /x", "en", "group", "pages",
		"show", "all", "", "../x", "prism"}
	walk(legacyShape(), func(_ string, k key) { words = append(words, k.name) })
	return words
}

func FuzzUpgradeTrees(f *testing.F) {
	f.Add([]byte("some choices that make a tree of keys and values, long enough to be deep"))
	words := legacyWords()
	top := []string{"navigation", "tabs", "anchors", "versions", "topAnchor", "colors", "api", "footer", "font",
		"topbarLinks", "metadata", "seo"}
	f.Fuzz(func(t *testing.T, choices []byte) {
		g := &grower{choices: choices, words: words}
		g.object(top)
		sameSite(t, []byte(g.b.String()))
	})
}
