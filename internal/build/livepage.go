package build

import (
	"context"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// Page describes a page that a visitor views.
type Page struct {
	Path     string
	File     string // source file; "" for a page generated from an API description
	Findings diag.List
}

// PageAt returns the page that a file of the site shows. ok is false if it shows none.
func (l *Live) PageAt(ctx context.Context, file string) (p Page, ok bool) {
	s, done := l.acquire()
	defer done()
	if s == nil || s.site == nil {
		return p, false
	}
	name := strings.TrimSuffix(file, ".html")
	page := s.src.site.Find(name)
	if page == nil && name == "index" {
		page = s.site.addr.home
	}
	l.mu.Lock()
	list := s.list
	l.mu.Unlock()
	var r result
	switch {
	case page != nil:
		r = s.known.pages.page(ctx, s.site.pages, page, nil)
		p = Page{Path: page.Path, File: page.File}
	case slices.Contains(s.src.site.Failed, name):
		p.Path = name
	default:
		return p, false
	}
	for _, d := range list {
		if d.File != "" && (d.File == p.File || load.PageOf(d.File) == p.Path) {
			p.Findings = append(p.Findings, d)
			p.File = d.File
		}
	}
	p.Findings = append(p.Findings, r.list...)
	hintBroken(p.Findings, s.src) // as in a pass, so that both describe a finding in the same words
	return p, true
}

// Redirects returns the site's redirect rules. There are none before the first Update.
func (l *Live) Redirects() *link.Redirects {
	if s := l.current(); s != nil {
		return s.rules
	}
	return link.NewRedirects(nil)
}

// Name returns the name of the site.
func (l *Live) Name() string {
	if s := l.current(); s != nil && s.site != nil {
		return s.src.site.Name
	}
	return ""
}

// Home returns the path of the page that the site's root shows.
func (l *Live) Home() string {
	if s := l.current(); s != nil && s.site != nil {
		return s.site.addr.home.Path
	}
	return ""
}

// Pages returns the number of pages.
func (l *Live) Pages() int {
	if s := l.current(); s != nil && s.site != nil {
		return len(s.src.site.Pages)
	}
	return 0
}
