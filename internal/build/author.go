package build

import (
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/render/stylesheet"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// authorMax bounds a style sheet or script of an author, in bytes; the scan has the same limit.
const authorMax = 2 << 20

// writeAuthorFiles writes the author's style sheets and scripts under their own names, because they refer to each other
// by relative path. Scripts are copied as they are; style sheets lose everything they would load from other hosts
// except images.
func (b *builder) writeAuthorFiles(ctx context.Context) error {
	for _, name := range slices.Concat(b.src.site.Styles, b.src.site.Scripts) {
		data, err := safefile.Read(b.src.fsys, name, authorMax)
		if err != nil || len(data) > authorMax || !b.w.Free(name) {
			b.w.warn(diag.Pos{File: name}, "file-unreadable", "The file cannot be read and is left out.")
			continue
		}
		if slices.Contains(b.src.site.Styles, name) {
			var list diag.List
			data, list = stylesheet.Local(name, data)
			b.w.addFindings(list)
		}
		if err := b.w.Put(ctx, output.File{Path: name, ContentType: output.ContentType(name), Data: data}); err != nil {
			return err
		}
	}
	return nil
}
