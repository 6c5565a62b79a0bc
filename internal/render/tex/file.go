package tex

import (
	"fmt"
	"io/fs"

	"github.com/lectern-docs/lectern/web/npm"
)

// File is a file that pages with formulas need.
type File struct {
	Name string // "katex.css", which pages link, followed by the fonts it refers to, in the same folder
	Data []byte
}

// Files returns the style sheet followed by its fonts. They must be written to the same folder. The fonts must keep
// their names, which contain a digest; the style sheet may be renamed. packs is npm.FS.
func Files(packs fs.FS) ([]File, error) {
	css, err := npm.Read(packs, "katex/katex.css")
	if err != nil {
		return nil, err
	}
	files := []File{{Name: "katex.css", Data: css}}
	fonts, err := fs.Glob(packs, "katex/*.woff2")
	if err != nil {
		return nil, fmt.Errorf("list fonts: %w", err)
	}
	for _, font := range fonts {
		data, err := fs.ReadFile(packs, font)
		if err != nil {
			return nil, fmt.Errorf("read font: %w", err)
		}
		files = append(files, File{Name: font[len("katex/"):], Data: data})
	}
	return files, nil
}
