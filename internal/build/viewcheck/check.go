package viewcheck

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Report is the result of a check.
type Report struct {
	Groups   []string  `json:"groups"`   // of the view
	Pages    int       `json:"pages"`    // number of withheld pages that were searched for
	Files    int       `json:"files"`    // number of withheld files that were searched for
	Titles   int       `json:"titles"`   // number of titles of pages and navigation that were searched for
	Words    int       `json:"words"`    // number of words that only withheld pages contain
	Findings diag.List `json:"findings"` // errors; at most maxFindings
}

// maxFindings limits the number of findings. A single one is enough to reject the bundle.
const maxFindings = 100

// Check searches a bundle for everything in the docs folder that readers of the view may not see.
func Check(ctx context.Context, bundle bundlecheck.Source, docs fs.FS, view reader.View) (*Report, error) {
	w, err := findWithheld(ctx, docs, view)
	if err != nil {
		return nil, fmt.Errorf("check view: %w", err)
	}
	c := &checker{withheld: w, report: &Report{Groups: append([]string{}, view.Groups...), Pages: len(w.pages), Files: len(w.files)}}
	c.report.Titles, c.report.Words = w.phrases.count()
	if err := bundlecheck.Walk(ctx, bundle, bundlecheck.Standard(), c.file); err != nil {
		return nil, fmt.Errorf("check view: %w", err)
	}
	if !c.manifest {
		c.report.Findings.Errorf(diag.Pos{}, "manifest-missing", "There is no %s.", output.ManifestPath)
	}
	c.report.Findings.Sort()
	return c.report, nil
}

type checker struct {
	*withheld
	report   *Report
	manifest bool
}

// file checks one file of the bundle.
func (c *checker) file(f bundlecheck.File) error {
	data, err := io.ReadAll(f.Body)
	if err != nil {
		return err
	}
	if f.Path == output.ManifestPath {
		c.manifest = true
		c.checkGroups(data)
	}
	at := diag.Pos{File: f.Path}
	if page := pageOf(f.Path); c.pages[page] {
		c.add(at, "restricted-file", "The file belongs to the page %q, which these readers may not see.", page)
	}
	if c.files[f.Path] {
		c.add(at, "restricted-file", "These readers may not see the file %q.", f.Path)
	}
	if name := c.sums[sha256.Sum256(data)]; name != "" {
		c.add(at, "restricted-file", "The file has the content of %q, which these readers may not see.", name)
	}
	// Words of a path are checked like words of the content.
	for _, found := range c.phrases.find([]byte(f.Path + "\n")) {
		c.add(at, "restricted-content", "The file's path contains %q, which occurs only in pages that these readers may not see.", found)
	}
	if bytes.IndexByte(data[:min(len(data), 1<<10)], 0) >= 0 && !strings.HasPrefix(f.Path, "_lectern/") {
		return nil // neither text nor one of our own files
	}
	for _, found := range c.phrases.find(data) {
		c.add(at, "restricted-content", "The file contains %q, which occurs only in pages that these readers may not see.", found)
	}
	return nil
}

func (c *checker) add(at diag.Pos, code, format string, args ...any) {
	if len(c.report.Findings) < maxFindings {
		c.report.Findings.Errorf(at, code, format, args...)
	}
}

// checkGroups compares the groups in the bundle's manifest with those of the view.
func (c *checker) checkGroups(manifest []byte) {
	m, err := output.ParseManifest(bytes.NewReader(manifest))
	if err != nil {
		c.add(diag.Pos{File: output.ManifestPath}, "manifest-invalid", "%s.", err)
		return
	}
	if !slices.Equal(m.Groups, c.report.Groups) {
		c.add(diag.Pos{File: output.ManifestPath}, "groups-mismatch", "The bundle is for %s, not for %s.",
			reader.New(m.Groups...), reader.New(c.report.Groups...))
	}
}

// pageOf returns the page that a file belongs to according to its path. The file may be the page itself, its Markdown
// form, its feed or its preview image. For other files it returns the path itself.
func pageOf(file string) string {
	file = strings.TrimPrefix(file, "_lectern/card/")
	for _, end := range []string{link.File(""), link.Twin(""), "/rss.xml", ".png"} {
		if page, ok := strings.CutSuffix(file, end); ok {
			return page
		}
	}
	return file
}
