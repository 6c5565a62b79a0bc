package asset

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Folder contains all of the platform's own files.
const Folder = "_lectern"

// Bundle is the front end of a site: the files to write, and their paths for pages.
type Bundle struct {
	Files  []output.File
	Style  string // the theme's style sheet
	Site   string // the site's own styles, loaded after Style
	Boot   string // render-blocking: sets the colour scheme before the first paint
	Script string // deferred
	Search string // loaded when a reader searches; "" = no search

	Fonts    []string  // font files that the first text of every page needs
	CodeFont string    // font file that the first code on a page needs; "" = none
	Findings diag.List // problems with the site's appearance settings
}

// Theme is the part of the front end that all sites share.
type Theme struct {
	Style, Boot, Script []byte
	Search              []byte // nil = no search
	Packs               fs.FS  // font files; nil = use the fonts of the reader's machine
}

// NewBundle adds digests to the names of the theme's files and adds the site's own styles.
func NewBundle(t Theme, s *site.Site) (*Bundle, error) {
	b := &Bundle{}
	b.Style, b.Boot, b.Script = b.Add("theme.css", t.Style), b.Add("boot.js", t.Boot), b.Add("theme.js", t.Script)
	if t.Search != nil {
		b.Search = b.Add("search.js", t.Search)
	}
	sheet, err := b.siteStyles(t.Packs, s)
	if err != nil {
		return nil, err
	}
	b.Site = b.Add("site.css", []byte(sheet))
	return b, nil
}

// siteStyles writes the site's own style sheet. It is loaded after the theme's and uses the same layers.
func (b *Bundle) siteStyles(packs fs.FS, s *site.Site) (string, error) {
	fonts := ""
	if packs != nil {
		var err error
		if fonts, err = b.fonts(packs, s); err != nil {
			return "", err
		}
	}
	return fonts + colors(&s.Settings) + b.background(s) + b.codeThemes(s), nil
}

// Add adds a file of the site to the bundle and returns its path.
func (b *Bundle) Add(name string, data []byte) string {
	f := fingerprint(path.Join(Folder, name), data)
	b.Files = append(b.Files, f)
	return f.Path
}

// fingerprint adds a digest of the content before the extension: theme.css → theme.1f2e3d4c5b.css.
func fingerprint(name string, data []byte) output.File {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	return output.File{
		Path:        strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext,
		ContentType: output.ContentType(name), Data: data, Immutable: true,
	}
}
