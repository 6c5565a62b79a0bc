package build

import (
	"context"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// siteWriter receives the output of a build: files, and findings and counts for the report. Every stage that writes
// gets it as an argument. It is used by one goroutine at a time.
type siteWriter struct {
	*output.Ledger
	src      *source // the author's files replace some of ours
	report   *Report
	reported map[diag.Diagnostic]bool // findings that are already in the report
	capped   bool                     // diagMax was reached
}

// newSiteWriter returns a writer to out. report contains the findings so far. The caller must close its Ledger.
func newSiteWriter(out output.Sink, scratch string, src *source, report *Report) *siteWriter {
	return &siteWriter{
		Ledger: output.NewLedger(out, scratch), src: src, report: report, reported: map[diag.Diagnostic]bool{},
	}
}

// put writes a file.
func (w *siteWriter) put(ctx context.Context, path string, data []byte) error {
	return w.putPayload(ctx, path, payload{data: data})
}

// putPayload writes a file that a worker produced.
func (w *siteWriter) putPayload(ctx context.Context, path string, p payload) error {
	return w.Put(ctx, output.File{
		Path: path, ContentType: output.ContentType(path), Data: p.data, Packed: p.packed, Held: p.held,
	})
}

// putPart writes files that several pages may need, unless they have been written.
func (w *siteWriter) putPart(ctx context.Context, part asset.Part) error {
	for _, f := range part.Files {
		if w.Has(f.Path) {
			continue
		}
		if err := w.Put(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// available reports whether a path is free: the author has no file with this name, and nothing has been written
// there.
func (w *siteWriter) available(name string) bool { return !w.src.authorHas(name) && w.Free(name) }

// putUnlessAuthored writes a file if its path is available.
func (w *siteWriter) putUnlessAuthored(ctx context.Context, name string, data []byte) error {
	if !w.available(name) {
		return nil
	}
	return w.put(ctx, name, data)
}

// warn adds one finding to the report.
func (w *siteWriter) warn(pos diag.Pos, code, format string, args ...any) {
	w.report.Diagnostics.Warnf(pos, code, format, args...)
}

// hint adds a hint to the last finding.
func (w *siteWriter) hint(text string) { w.report.Diagnostics.Hint(text) }

// diagMax limits the findings of a whole site.
const diagMax = 5000

// addFindings adds findings to the report. It skips duplicates, because pages that share a snippet have the same
// findings about it. It stops at diagMax and reports that.
func (w *siteWriter) addFindings(list diag.List) {
	for _, d := range list {
		if w.reported[d] {
			continue
		}
		switch n := len(w.report.Diagnostics); {
		case n < diagMax || d.Severity == diag.Error && n < 2*diagMax:
			w.reported[d] = true
			w.report.Diagnostics = append(w.report.Diagnostics, d)
		case !w.capped:
			w.capped = true
			w.warn(diag.Pos{}, "too-many-findings", "There are more than %d findings; the rest is not listed.", diagMax)
		}
	}
}

// maxExtraFile limits a file that an author provides for machines in addition to the site, in bytes.
const maxExtraFile = 1 << 20

// readExtra reads a file that an author provides for machines. ok is false if it does not exist. A file that is too
// large is reported and not used at all.
func (w *siteWriter) readExtra(name string) (data []byte, ok bool) {
	data, err := safefile.Read(w.src.unrecorded(), name, maxExtraFile)
	if err == nil && len(data) > maxExtraFile {
		const text = "The file is larger than %d MB and is skipped."
		w.warn(diag.Pos{File: name}, "file-unreadable", text, maxExtraFile>>20)
	}
	return data, err == nil && len(data) <= maxExtraFile
}
