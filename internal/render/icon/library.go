package icon

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/web/npm"
)

// The libraries, by the names that docs.json uses.
const (
	FontAwesome = "fontawesome"
	Lucide      = "lucide"
	Tabler      = "tabler"
)

//go:embed instead.txt
var insteadText string

// Library holds all icons. It is safe for concurrent use, and loads each library when first needed.
type Library struct {
	packs   map[string]func() *pack
	instead func() map[string]ref // names of paid icons → replacements
}

// Open checks that the packed libraries exist. packs is npm.FS.
func Open(packs fs.FS) (*Library, error) {
	l := &Library{packs: map[string]func() *pack{},
		instead: sync.OnceValue(func() map[string]ref { return parseInstead(insteadText) })}
	for _, name := range []string{FontAwesome, Lucide, Tabler} {
		file := "icons/" + name + ".txt"
		if _, err := fs.Stat(packs, file+".gz"); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("this program was built without icons: build it with make build: %w", err)
		} else if err != nil {
			return nil, fmt.Errorf("find icons: %w", err)
		}
		l.packs[name] = sync.OnceValue(func() *pack { return load(packs, file) })
	}
	return l, nil
}

// load loads one library. If the file cannot be read, the library has no icons. The file is part of this program.
func load(packs fs.FS, file string) *pack {
	text, err := npm.Read(packs, file)
	if err != nil {
		return &pack{}
	}
	p, err := parsePack(text)
	if err != nil {
		return &pack{}
	}
	return p
}

// Set returns the library that a site has chosen. "" and unknown names mean Font Awesome.
func (l *Library) Set(library string) *Set {
	library = strings.ToLower(strings.TrimSpace(library))
	if _, ok := l.packs[library]; !ok {
		library = FontAwesome
	}
	return &Set{all: l, own: library}
}

// find looks up a name in one library.
func (l *Library) find(library, name string, styles []string) (picture, bool) {
	d, ok := l.packs[library]().find(name, styles)
	return picture{library: library, drawing: d}, ok
}

// parseInstead parses lines of the form "target: name name". A target may begin with its library.
func parseInstead(text string) map[string]ref {
	instead := map[string]ref{}
	for line := range strings.Lines(text) {
		at := strings.LastIndexByte(line, ':')
		if at < 0 || line[0] == '#' {
			continue
		}
		library, name, has := strings.Cut(line[:at], ":")
		if !has {
			library, name = FontAwesome, library
		}
		for theirs := range strings.FieldsSeq(line[at+1:]) {
			instead[theirs] = ref{library: library, name: name}
		}
	}
	return instead
}
