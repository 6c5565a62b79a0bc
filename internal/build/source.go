package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// source is the docs folder as it was read. loadSource fills it, and later stages only read it. Only included
// changes: it records digests of files while pages are rendered.
type source struct {
	fsys        fs.FS // a recordingFS in a preview
	site        *site.Site
	specs       *openapi.Set
	siteFiles   []string          // docs.json and its parts
	sums        *load.Sums        // digests of the pages' sources; nil without a cache, and in a preview
	specsDigest [sha256.Size]byte // digest of the API descriptions; zero = unknown
	included    *includedFiles    // digests of files that pages include

	// pages and files that readers of the view may not see, and API descriptions with a part that they may not see
	withheld, withheldFiles []string
	restricted              map[string]bool
}

// loadSource reads the docs folder. The report contains what is known about the site before a page is rendered. If the
// site has no page, the report contains an error, and there is nothing to build. memo caches results of earlier calls;
// it may be nil.
func loadSource(ctx context.Context, fsys fs.FS, opt Options, memo *load.Memo) (*source, *Report, error) {
	opt.Progress(Progress{Stage: StageScan})
	loaded, list, err := load.Load(ctx, underlyingFS(fsys), load.Options{
		Workers: opt.Workers, Fetch: opt.Fetch, Kept: opt.Kept, Memo: memo, Sums: opt.Cache != nil && memo == nil,
		View: opt.View, Known: opt.known(),
	})
	if err != nil {
		return nil, nil, err
	}
	s := loaded.Site
	s.Repository = opt.Repository
	report := &Report{
		Name: s.Name, TrailingSlash: s.SEO.TrailingSlash, Redirects: s.Redirects, Failed: len(s.Failed),
		Diagnostics: list, Integrations: s.Integrations, Copies: loaded.Specs.Copies(), Unread: loaded.Unread,
		Broken: loaded.Broken, Groups: loaded.Groups, Withheld: loaded.Withheld, WithheldFiles: loaded.WithheldFiles,
	}
	if opt.Paths != nil {
		s = selectPaths(s, opt.Paths, report)
	}
	if len(s.Pages) == 0 {
		report.Diagnostics.Errorf(diag.Pos{}, "no-pages", "The site has no pages.")
		report.Diagnostics.Hint("Add an index.mdx to the docs folder.")
	}
	return &source{
		fsys: fsys, site: s, specs: loaded.Specs, siteFiles: loaded.Files, sums: loaded.Sums,
		specsDigest: loaded.Described, included: &includedFiles{},
		withheld: loaded.Withheld, withheldFiles: loaded.WithheldFiles, restricted: loaded.Restricted,
	}, report, nil
}

// selectPaths returns the site with only the pages in Options.Paths. It reports paths without a page, and counts
// only failures of selected pages.
func selectPaths(s *site.Site, paths []string, report *Report) *site.Site {
	var want []string
	for _, written := range paths {
		p, ok := slug.Clean(written)
		if ok && s.Find(p) == nil && s.Find(p+"/index") != nil {
			p += "/index"
		}
		switch {
		case ok && s.Find(p) != nil:
			want = append(want, p)
		case ok && slices.Contains(s.Failed, p): // already reported
		default:
			report.Diagnostics.Errorf(diag.Pos{}, "unknown-path", "Page not found: %q.", written)
			if near := didyoumean.Word(p, s.Paths()); near != "" {
				report.Diagnostics.Hint(fmt.Sprintf("Did you mean %q?", near))
			}
		}
	}
	report.Failed = 0
	for _, p := range s.Failed {
		if slices.ContainsFunc(paths, func(w string) bool { c, _ := slug.Clean(w); return c == p }) {
			report.Failed++
		}
	}
	return s.Only(want)
}

// empty reports whether there is no page to write.
func (s *source) empty() bool { return len(s.site.Pages) == 0 }

// unrecorded returns the folder for reads that a preview tracks in other ways.
func (s *source) unrecorded() fs.FS { return underlyingFS(s.fsys) }

// authorHas reports whether the author has a file with this path.
func (s *source) authorHas(name string) bool { return s.site.FindAsset(name) != nil }

// read reads the source of a page. The findings are not nil if it cannot be used.
func (s *source) read(p *site.Page) (load.Source, diag.List) {
	return load.ReadSource(s.unrecorded(), p)
}

// digest returns the digest of a file that pages include, or zero if it does not exist. sure is false if it changed
// during the build.
func (s *source) digest(name string) (sum [sha256.Size]byte, sure bool) {
	return s.included.digest(s.fsys, name)
}

// specsDigestFor returns the digest of the API descriptions for API pages, and zero for others.
func (s *source) specsDigestFor(p *site.Page) (sum [sha256.Size]byte) {
	if p.API != nil {
		sum = s.specsDigest
	}
	return sum
}
