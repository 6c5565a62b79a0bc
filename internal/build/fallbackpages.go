package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/web/theme"
)

// writeFallbackPages writes the pages that have no source: error pages for sources that could not be read,
// index.html and 404.html unless a page has these paths, and redirects. It returns the digest of the script in
// 404.html.
func writeFallbackPages(
	ctx context.Context, w *siteWriter, s *preparedSite, written entries, opt Options,
) (script string, err error) {
	if opt.ErrorPages && opt.Paths == nil {
		if err := writeUnreadablePages(ctx, w, s.pages.layout); err != nil {
			return "", err
		}
	}
	if err := writeIndex(ctx, w, s.pages, s.addr.home, written); err != nil {
		return "", err
	}
	script, err = writeNotFound(ctx, w, s, opt.frontEnd(), opt.Version)
	if err != nil {
		return "", err
	}
	return script, writeRedirects(ctx, w, s.addr, s.theme.frame, opt.frontEnd())
}

// writeUnreadablePages writes error pages for sources whose front matter could not be read.
func writeUnreadablePages(ctx context.Context, w *siteWriter, layout *pageLayout) error {
	for _, p := range w.src.site.Failed {
		var list diag.List
		for _, d := range w.report.Diagnostics {
			if slug.Page(d.File) == p {
				list = append(list, d)
			}
		}
		data := layout.errorPage(&site.Page{Path: p, Title: slug.Words(p)}, p, list)
		if err := w.put(ctx, link.File(p), data); err != nil {
			return err
		}
	}
	return nil
}

// writeIndex writes index.html if no page has that path. It contains the home page p, with links relative to the root
// and the canonical address of p. If p failed, another page takes its place.
func writeIndex(ctx context.Context, w *siteWriter, pages *pageRenderer, p *site.Page, written entries) error {
	if w.Has("index.html") || len(written) == 0 {
		return nil
	}
	if !w.Has(link.File(p.Path)) { // the home page failed
		p = written[0].page
	}
	r := pages.render(ctx, p, "index", nil)
	if !r.shown() {
		w.addFindings(r.list) // a site without its home page must not seem complete
		return ctx.Err()
	}
	if err := w.putPayload(ctx, "index.html", r.html); err != nil || r.failed || !w.Free(link.Twin("index")) {
		return err
	}
	return w.putPayload(ctx, link.Twin("index"), r.twin)
}

// writeNotFound writes 404.html unless the author has a page with that name. It returns the digest of the page's inline
// script, as content security policies contain it, or "" if it wrote no page.
func writeNotFound(
	ctx context.Context, w *siteWriter, s *preparedSite, front *frontEnd, version string,
) (digest string, err error) {
	if w.Has("404.html") {
		return "", nil
	}
	addr, frame := s.addr, s.theme.frame
	nearest, err := nearestScript(s, front)
	if err != nil {
		return "", err
	}
	if err := w.putPart(ctx, nearest); err != nil {
		return "", err
	}
	if addr.style != link.Relative {
		return "", w.put(ctx, "404.html", frame.NotFound(addr.rootView(), nearest.Path))
	}
	script, err := front.script(theme.Lost, nil)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(script)
	identity := siteIdentity(w.src.site, addr.baseURL, version)
	mark := asset.NewPart(path.Join(asset.Folder, "root.css"), fmt.Appendf(nil, "/* %s */\n", identity))
	if err := w.putPart(ctx, mark); err != nil {
		return "", err
	}
	lost := layout.Lost{Script: script, Mark: mark.Path, Nearest: nearest.Path}
	if base := addr.basePath(); base != "" {
		lost.Base, lost.Home = (&url.URL{Path: base}).EscapedPath(), strings.TrimRight(addr.baseURL, "/")+"/"
	}
	digest = "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
	return digest, w.put(ctx, "404.html", frame.NotFoundAnywhere(addr.rootView(), lost))
}

// nearestMax is the maximum number of pages among which 404.html looks for suggestions. On a larger site, it only
// considers the first ones.
const nearestMax = 5000

// nearestScript returns the script that suggests pages with an address similar to the missing one, with the list of
// pages in the navigation.
func nearestScript(s *preparedSite, front *frontEnd) (asset.Part, error) {
	script, err := front.script(theme.Nearest, nil)
	if err != nil {
		return asset.Part{}, err
	}
	pages, root := [][2]string{}, s.addr.rootView()
	for _, p := range s.src.site.Pages {
		if s.nav.discoverable(p) && len(pages) < nearestMax {
			pages = append(pages, [2]string{root.Page(p.Path, ""), p.Title})
		}
	}
	list, err := json.Marshal(pages)
	if err != nil {
		return asset.Part{}, fmt.Errorf("list pages for 404.html: %w", err)
	}
	data := fmt.Appendf(bytes.Clone(script), "lecternNearest(%s);\n", list)
	return asset.NewPart(path.Join(asset.Folder, "nearest.js"), data), nil
}

// siteIdentity returns a digest of the site's name, address, version and pages. It distinguishes the site from others
// on the same host that were built by the same program.
func siteIdentity(s *site.Site, baseURL, version string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q", s.Name, baseURL, version)
	for _, p := range s.Pages {
		_, _ = io.WriteString(h, "\n"+p.Path) // writing to a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
