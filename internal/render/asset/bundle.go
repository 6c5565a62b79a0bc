package asset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Folder holds every file that is the platform's own.
const Folder = "_lectern"

// Bundle is the front end of a site: what to write, and under which paths pages find it.
type Bundle struct {
	Files  []output.File
	Style  string // the theme's style sheet
	Site   string // the site's own look, after Style
	Boot   string // blocks: sets the colour scheme before the first paint
	Script string // deferred
	Search string // loaded when a reader searches; "" = the site has no search

	Fonts    []string  // files that the first text of every page needs
	Findings diag.List // what is wrong with the site's wishes about its look
}

// Theme is the order of the parts in the theme's folder.
type Theme struct {
	FS     fs.FS
	Styles []string
	Boot   []string
	Script []string
	Search []string // none = no search
	// Shrink writes a joined file with fewer bytes; nil leaves it as it is.
	Shrink func(name string, data []byte) ([]byte, error)
	Packs  fs.FS // holds typefaces; nil = those of the reader's machine
}

// NewBundle joins the theme's parts and adds the site's own look.
func NewBundle(t Theme, s *site.Site) (*Bundle, error) {
	b := &Bundle{}
	for _, part := range []struct {
		to    *string
		name  string
		files []string
	}{{&b.Style, "theme.css", t.Styles}, {&b.Boot, "boot.js", t.Boot}, {&b.Script, "theme.js", t.Script}, {&b.Search, "search.js", t.Search}} {
		if part.to == &b.Search && len(part.files) == 0 {
			continue
		}
		data, err := join(t.FS, part.files)
		if err == nil && t.Shrink != nil {
			data, err = t.Shrink(part.name, data)
		}
		if err != nil {
			return nil, err
		}
		*part.to = b.Add(part.name, data)
	}
	sheet, err := b.look(t.Packs, s)
	if err != nil {
		return nil, err
	}
	b.Site = b.Add("site.css", []byte(sheet))
	return b, nil
}

// look writes the site's own style sheet. It comes after the theme's and uses its layers.
func (b *Bundle) look(packs fs.FS, s *site.Site) (string, error) {
	fonts := ""
	if packs != nil {
		var err error
		if fonts, err = b.fonts(packs, s); err != nil {
			return "", err
		}
	}
	return fonts + colors(&s.Settings) + b.background(s) + b.codeThemes(s), nil
}

// Add puts a file of the site into the bundle and returns its path.
func (b *Bundle) Add(name string, data []byte) string {
	f := fingerprint(path.Join(Folder, name), data)
	b.Files = append(b.Files, f)
	return f.Path
}

// fingerprint puts a digest of the content before the extension: theme.css → theme.1f2e3d4c5b.css.
func fingerprint(name string, data []byte) output.File {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	return output.File{
		Path:        strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext,
		ContentType: output.ContentType(name), Data: data, Immutable: true,
	}
}

// join puts files one after the other. Scripts share one function, so that their names do not meet those of authors.
func join(src fs.FS, files []string) ([]byte, error) {
	var out []byte
	for _, name := range files {
		data, err := fs.ReadFile(src, name)
		if err != nil {
			return nil, fmt.Errorf("read theme: %w", err)
		}
		out = append(out, data...)
	}
	if len(files) > 0 && path.Ext(files[0]) == ".js" {
		out = append(append([]byte("(() => {\n"), out...), "})();\n"...)
	}
	return out, nil
}
