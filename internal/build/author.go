package build

import (
	"bytes"
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/stylesheet"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// authorMax limits the size of an author's style sheet or script, in bytes. The scan applies the same limit.
const authorMax = 2 << 20

// writeAuthorFiles writes the author's style sheets and scripts under their own names, because they refer to each
// other by relative path. Scripts are copied unchanged; parts that the content security policy would block anyway
// are removed from style sheets.
func writeAuthorFiles(ctx context.Context, w *siteWriter, e capability.External) error {
	s := w.src.site
	allow := allowed(s, e)
	for _, name := range slices.Concat(s.Styles, s.Scripts) {
		data, err := safefile.Read(w.src.fsys, name, authorMax)
		if err != nil || len(data) > authorMax || !w.Free(name) {
			w.warn(diag.Pos{File: name}, "file-unreadable", "The file cannot be read and is skipped.")
			continue
		}
		if slices.Contains(s.Styles, name) {
			var list diag.List
			data, list = stylesheet.Local(name, data, allow)
			data = stylesheet.Translate(data)
			w.addFindings(list)
		}
		if err := w.Put(ctx, output.File{Path: name, ContentType: output.ContentType(name), Data: data}); err != nil {
			return err
		}
	}
	return nil
}

// lfsPointer is the start of a file whose content is stored in Git LFS.
var lfsPointer = []byte("version https://git-lfs.github.com/spec/v1\n")

// copyAssets copies the site's own files.
func copyAssets(ctx context.Context, w *siteWriter, variants *imageVariants, progress func(Progress)) error {
	s := w.src.site
	w.addFindings(variants.findings())
	for i, a := range s.Assets {
		progress(Progress{Stage: StageAssets, Done: w.report.Pages, Total: len(s.Pages), File: i, Files: len(s.Assets)})
		f, err := asset.Read(w.src.unrecorded(), a)
		if err != nil {
			w.warn(diag.Pos{File: a.Path}, "file-unreadable", "The file cannot be read and is skipped.")
			continue
		}
		if bytes.HasPrefix(f.Data, lfsPointer) {
			const text = "The file is a Git LFS pointer: readers get the pointer, not the content."
			w.warn(diag.Pos{File: a.Path}, "lfs-pointer", text)
			w.hint("Git LFS content is not fetched. Store the file in the repository itself.")
		}
		if !w.Free(a.Path) {
			w.warn(diag.Pos{File: a.Path}, "duplicate-file", "Another file already has this file's address.")
			continue
		}
		if err := w.Put(ctx, f); err != nil {
			return err
		}
		copies, err := variants.files(a.Path)
		if err != nil {
			return err
		}
		if err := w.putPart(ctx, asset.Part{Files: copies}); err != nil {
			return err
		}
	}
	return nil
}
