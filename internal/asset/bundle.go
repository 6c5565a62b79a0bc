package asset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/site"
)

// Folder holds every file that is the platform's own.
const Folder = "_lectern"

// Bundle is the front end of a site: what to write, and under which paths pages find it.
type Bundle struct {
	Files  []outtree.File
	Style  string // the theme's style sheet
	Site   string // the site's own colours, after Style
	Boot   string // blocks: sets the colour scheme before the first paint
	Script string // deferred
}

// Theme is the order of the parts in the theme's folder.
type Theme struct {
	FS     fs.FS
	Styles []string
	Boot   []string
	Script []string
}

// NewBundle joins the theme's parts and adds the site's colours.
func NewBundle(t Theme, s *site.Site) (*Bundle, error) {
	b := &Bundle{}
	for _, part := range []struct {
		to    *string
		name  string
		files []string
	}{{&b.Style, "theme.css", t.Styles}, {&b.Boot, "boot.js", t.Boot}, {&b.Script, "theme.js", t.Script}} {
		data, err := join(t.FS, part.files)
		if err != nil {
			return nil, err
		}
		*part.to = b.Add(part.name, data)
	}
	b.Site = b.Add("site.css", colors(s.Colors))
	return b, nil
}

// Add puts a file of the site into the bundle and returns its path.
func (b *Bundle) Add(name string, data []byte) string {
	f := fingerprint(path.Join(Folder, name), data)
	b.Files = append(b.Files, f)
	return f.Path
}

// fingerprint puts a digest of the content before the extension: theme.css → theme.1f2e3d4c5b.css.
func fingerprint(name string, data []byte) outtree.File {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	return outtree.File{
		Path:        strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext,
		ContentType: outtree.ContentType(name), Data: data, Immutable: true,
	}
}

func join(src fs.FS, files []string) ([]byte, error) {
	var out []byte
	for _, name := range files {
		data, err := fs.ReadFile(src, name)
		if err != nil {
			return nil, fmt.Errorf("read theme: %w", err)
		}
		out = append(out, data...)
	}
	return out, nil
}
