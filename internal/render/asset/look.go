package asset

import (
	"io/fs"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// Look gives pages outside a site the appearance of a site. It adds the theme's font, and the accent colour for light
// and dark pages, to the theme's tokens.
type Look struct {
	Sheet []byte            // CSS
	Fonts map[string][]byte // the files that Sheet refers to, by their path relative to it
	Early []string          // files in Fonts to preload
}

// NewLook returns the look of a site with these colours and default fonts.
func NewLook(packs fs.FS, c site.Colors) (Look, error) {
	var b Bundle
	css, err := b.fonts(packs, &site.Site{})
	if err != nil {
		return Look{}, err
	}
	l := Look{Sheet: []byte(css + colors(&site.Settings{Colors: c})), Fonts: map[string][]byte{}}
	for _, f := range b.Files {
		l.Fonts[strings.TrimPrefix(f.Path, Folder+"/")] = f.Data
	}
	for _, name := range b.Fonts {
		l.Early = append(l.Early, strings.TrimPrefix(name, Folder+"/"))
	}
	return l, nil
}
