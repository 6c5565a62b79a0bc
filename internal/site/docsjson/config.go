package docsjson

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site"
)

const (
	maxDepth  = 100       // nesting of lists and objects
	maxFile   = 8 << 20   // bytes of one JSON file
	maxValues = 1_000_000 // values of one JSON file
)

const (
	siteFile   = "docs.json"
	legacyFile = "mint.json"
)

// Config is the decoded site file. Missing or invalid fields have default values.
type Config struct {
	site.Settings          // File is "docs.json", "mint.json", or "" if there is none
	Parts         []string // JSON files read by $ref, sorted
	Nav           []*site.Node
	Redirects     []site.Redirect
	Specs         Specs
	Styles        []File // style sheets named in the site file
	Scripts       []File // scripts named in the site file
	// GitVersions selects the branches and tags that are versions of the site; zero = none.
	GitVersions refversion.Rules
}

// Specs holds the API descriptions that the site file names, for package load.
type Specs struct {
	Sources []site.Source // api.openapi and api.asyncapi: operations are looked up there; they create no pages
	Root    []site.Source // descriptions set on the navigation itself
}

// File is a path in the site file.
type File struct {
	Path string // relative to the docs folder, without a leading slash
	Pos  diag.Pos
}

// Load reads the site file of src. If the file is missing or unreadable, Load adds a finding and returns the default
// Config.
func Load(src fs.FS) (*Config, diag.List) {
	var list diag.List
	cfg := defaults()
	if name, data := find(src, &list); name != "" {
		cfg.File = name
		if root, parts := read(src, name, data, &list); root != nil {
			cfg.Parts = parts
			decode(cfg, root, &list)
		}
	}
	list.Sort()
	return cfg, slices.Compact(list) // an older file's settings for all versions are decoded once per version
}

// find reads the site file. If there is none, it adds a finding and name is "".
func find(src fs.FS, list *diag.List) (name string, data []byte) {
	for _, name := range []string{siteFile, legacyFile} {
		data, err := safefile.Read(src, name, maxFile)
		if err == nil {
			return name, data
		}
		if _, statErr := fs.Lstat(src, name); statErr == nil {
			list.Errorf(diag.Pos{File: name}, "site-file-unreadable", "%s exists but cannot be read.", name)
			list.Hint("It must be a regular file, not a link or a folder.")
			return "", nil
		}
	}
	list.Warnf(diag.Pos{File: siteFile}, "site-file-missing",
		"There is no docs.json, so every page in the folder is published.")
	list.Hint(`Add a docs.json with "name", "colors" and "navigation".`)
	return "", nil
}

func defaults() *Config {
	return &Config{Settings: site.Settings{
		Name: "Documentation", Theme: "mint", Appearance: site.Appearance{Default: "system"}, FullSchema: true,
	}}
}

// read parses a site file and the files that it refers to. After an error, which it adds to list, root is nil. parts is
// the sorted list of the files that the site file refers to.
func read(src fs.FS, name string, data []byte, list *diag.List) (root *jsontree.Value, parts []string) {
	root = parseJSON(name, data, list)
	if root == nil {
		return nil, nil
	}
	r := &resolver{src: src, list: list, stack: []string{name}, used: map[string]bool{}}
	root = r.resolve(root, name)
	parts = slices.Sorted(maps.Keys(r.used))
	if root.Kind != jsontree.Object {
		list.Errorf(root.Pos(), "site-file-shape", "%s must contain an object, not %s.", name, root.Kind)
		return nil, parts
	}
	return root, parts
}

// decode validates the tree of cfg.File and decodes it into cfg.
func decode(cfg *Config, root *jsontree.Value, list *diag.List) {
	if cfg.File == legacyFile {
		newChecker(list).check(root, legacyShape(), &place{})
		root = convert(root, list)
	}
	d := &decoder{cfg: cfg, list: list}
	table := d.shape()
	newChecker(list).check(root, table, &place{})
	store(root, table)
}

// decoder decodes a file into cfg and adds findings to list.
type decoder struct {
	cfg  *Config
	list *diag.List

	// the following fields are for the navigation
	entries map[string]*shape // the shapes of entries, by the key for the entry's name
	current entry             // where the setters of entry keys store values
	free    []site.Node       // preallocated nodes
}

// parseJSON returns nil after a syntax error, which it adds to list.
func parseJSON(file string, src []byte, list *diag.List) *jsontree.Value {
	doc, err := jsontree.Parse(file, string(src), jsontree.Limits{Bytes: maxFile, Depth: maxDepth, Values: maxValues})
	if bad := (*jsontree.SyntaxError)(nil); errors.As(err, &bad) {
		list.Errorf(bad.Pos, "json-syntax", "%s", bad.Message)
		return nil
	}
	if doc.Loose {
		list.Warnf(diag.Pos{File: file, Line: 1, Column: 1}, "json-loose",
			"The file contains comments, trailing commas or tabs in strings, which are not valid JSON.")
	}
	for _, m := range doc.Twice {
		list.Warnf(m.Pos(), "json-duplicate", "The key %q appears twice; the last one is used.", m.Key)
	}
	return doc.Root
}
