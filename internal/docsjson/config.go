package docsjson

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/plainfile"
	"github.com/lectern-docs/lectern/internal/site"
)

const (
	maxDepth  = 100       // nesting of lists and objects
	maxFile   = 8 << 20   // bytes of one JSON file
	maxValues = 1_000_000 // values of one JSON file
)

// Config is the site file, typed. Fields that were absent or wrong hold their defaults.
type Config struct {
	site.Settings          // File is "docs.json", "mint.json", or "" when there is none
	Parts         []string // JSON files read by $ref, ordered
	Nav           []*site.Node
	Redirects     []site.Redirect
	Specs         Specs
}

// Load reads the site file of src. A missing or unreadable one is an error in the list and gives a Config of defaults.
func Load(src fs.FS) (*Config, diag.List) {
	var list diag.List
	for _, name := range []string{"docs.json", "mint.json"} {
		data, err := plainfile.Read(src, name, maxFile)
		if err == nil {
			cfg := parse(src, name, data, &list)
			list.Sort()
			return cfg, list
		}
		if _, statErr := fs.Lstat(src, name); statErr == nil {
			list.Errorf(diag.Pos{File: name}, "site-file-unreadable", "%s is there but cannot be read.", name)
			list.Hint("It must be a regular file, not a link or a folder.")
			return defaults(), list
		}
	}
	list.Warnf(diag.Pos{File: "docs.json"}, "site-file-missing", "There is no docs.json, so the site is made of every page in the folder.")
	list.Hint(`Add a docs.json with "name", "colors" and "navigation".`)
	return defaults(), list
}

func defaults() *Config {
	return &Config{Settings: site.Settings{Name: "Documentation", Theme: "mint", Appearance: site.Appearance{Default: "system"}, NotFound: site.NotFound{ToHome: true}}}
}

func parse(src fs.FS, name string, data []byte, list *diag.List) *Config {
	cfg := defaults()
	cfg.File = name
	root := parseJSON(name, data, list)
	if root == nil {
		return cfg
	}
	r := &resolver{src: src, list: list, stack: []string{name}, used: map[string]bool{}}
	root = r.resolve(root, name)
	cfg.Parts = slices.Sorted(maps.Keys(r.used))
	if root.Kind != jsontree.Object {
		list.Errorf(root.Pos(), "site-file-shape", "%s must hold an object, not %s.", name, root.Kind)
		return cfg
	}
	d := &decoder{cfg: cfg, list: list, legacy: name == "mint.json"}
	d.root(root)
	return cfg
}

// parseJSON returns nil after a syntax error, which is in list then.
func parseJSON(file string, src []byte, list *diag.List) *jsontree.Value {
	doc, err := jsontree.Parse(file, string(src), jsontree.Limits{Bytes: maxFile, Depth: maxDepth, Values: maxValues})
	if bad := (*jsontree.SyntaxError)(nil); errors.As(err, &bad) {
		list.Errorf(bad.Pos, "json-syntax", "%s", bad.Message)
		return nil
	}
	if doc.Loose {
		list.Warnf(diag.Pos{File: file, Line: 1, Column: 1}, "json-loose", "The file holds comments, trailing commas or tabs in texts, which are not JSON.")
	}
	for _, m := range doc.Twice {
		list.Warnf(m.Pos(), "json-duplicate", "The key %q stands here twice; the last one holds.", m.Key)
	}
	return doc.Root
}
