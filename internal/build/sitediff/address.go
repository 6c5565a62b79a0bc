package sitediff

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// lost is an address that was published and no longer works.
type lost struct {
	address string
	page    string // path of the page at the base; "" for a redirect
	file    string // source file of the page; "" = generated, or a redirect
	source  string // of a redirect, as written; "" for a page
	to      string // best target now, an address
	title   string // of the page; "" = unknown
	cause   string // a sentence; "" = call Cause
}

// compareAddresses reports addresses that were published at the base and no longer work.
func (c *comparison) compareAddresses(ctx context.Context, past *Past) {
	var list []lost
	seen := map[string]bool{}
	for _, p := range slices.Sorted(maps.Keys(c.base.pages)) {
		address := c.base.table.Path(p)
		if !c.head.answers(address) {
			seen[address] = true
			list = append(list, lost{address: address, page: p, file: c.base.pages[p].File, to: c.target(p, c.base.pages[p].Title)})
		}
	}
	for _, r := range c.base.report.Redirects {
		address := link.SourcePath(r.Source)
		if !seen[address] && c.lostRedirect(address) {
			seen[address] = true
			l := lost{address: r.Source, source: r.Source, to: c.redirectTarget(r)}
			if r.Pos == (diag.Pos{}) { // a folder leads to one of its pages
				if p := c.base.pages[c.base.home.Resolve(r.Source).Page]; p != nil {
					l.source, l.file = "", p.File
				}
			}
			list = append(list, l)
		}
	}
	list = append(list, c.lostBefore(past)...)
	slices.SortFunc(list, func(a, b lost) int { return strings.Compare(a.address, b.address) })
	rules := wildcards(list)
	for _, l := range list {
		c.reportLost(ctx, l, rules)
	}
}

// lostRedirect reports whether a redirect worked at the base and its source no longer works. The target of a redirect
// with a wildcard depends on the request, so its source still works if any redirect matches it.
func (c *comparison) lostRedirect(source string) bool {
	if !link.Wildcard(source) {
		return c.base.answers(source) && !c.head.answers(source)
	}
	sample := link.Sample(source)
	_, _, before := c.base.redirects.Match(sample)
	_, _, after := c.head.redirects.Match(sample)
	return before && !after
}

func (c *comparison) reportLost(ctx context.Context, l lost, rules map[string]string) {
	what := fmt.Sprintf("The address %q was published", l.address)
	switch {
	case l.file != "":
		what = fmt.Sprintf("The address %q of %s was published", l.address, l.file)
	case l.source != "":
		what = fmt.Sprintf("The redirect from %q was published", l.source)
	}
	if l.cause == "" && l.file+l.source != "" {
		l.cause = c.cause(ctx, l.file, l.source)
	}
	c.result.Findings.Errorf(c.redirectPos(), "lost-address", "%s",
		strings.TrimSpace(what+", and neither a page nor a redirect serves it now. "+l.cause))
	rule := rules[l.address]
	if rule == "" {
		rule = redirectRule(l.address, l.to)
	}
	c.result.Findings.Hint(`Add to "redirects" in docs.json: ` + rule)
}

// redirectPos returns the position of redirects in the site file: the last one, or the beginning of the file.
func (c *comparison) redirectPos() diag.Pos {
	if n := len(c.head.site.Redirects); n > 0 {
		return c.head.site.Redirects[n-1].Pos
	}
	if c.head.site.File == "" {
		return diag.Pos{}
	}
	return diag.Pos{File: c.head.site.File, Line: 1, Column: 1}
}

// target returns the best address for readers of a lost page, based on its path and title. That is the new address of
// the page if it was moved. Otherwise it is a page with the same title, with the same name in another folder, or with a
// similar path, or the nearest parent folder that has a page.
func (c *comparison) target(page, title string) string {
	if to, ok := c.moved[page]; ok {
		return c.head.table.Path(to)
	}
	var titled []string
	for path, p := range c.head.pages {
		if title != "" && strings.EqualFold(p.Title, title) {
			titled = append(titled, path)
		}
	}
	if len(titled) == 1 {
		return c.head.table.Path(titled[0])
	}
	if len(titled) == 0 {
		titled = slices.Collect(maps.Keys(c.head.pages))
	}
	slices.Sort(titled)
	named := slices.DeleteFunc(slices.Clone(titled), func(p string) bool { return path.Base(p) != path.Base(page) })
	if len(named) == 1 {
		return c.head.table.Path(named[0])
	}
	if near := didyoumean.Word(page, slices.Values(titled)); near != "" {
		return c.head.table.Path(near)
	}
	for dir := path.Dir(page); dir != "."; dir = path.Dir(dir) {
		if c.head.answers("/" + dir) {
			return "/" + dir
		}
	}
	return "/"
}

// redirectTarget returns the best target for a lost redirect.
func (c *comparison) redirectTarget(r site.Redirect) string {
	if link.Wildcard(r.Source) {
		return r.Destination
	}
	was := c.base.home.Resolve(r.Source)
	switch {
	case was.Kind == link.ToPage && c.head.exists(was.Page):
		return c.head.table.Path(was.Page)
	case was.Kind == link.ToPage:
		title := ""
		if p := c.base.pages[was.Page]; p != nil {
			title = p.Title
		}
		return c.target(was.Page, title)
	}
	return r.Destination
}

// wildcards finds lost pages of one folder that all moved to another folder under their old names. It returns one rule
// for all of them, by address.
func wildcards(list []lost) map[string]string {
	type folders struct{ from, to string }
	groups := map[folders][]string{}
	for _, l := range list {
		from, to := path.Dir(l.address), path.Dir(l.to)
		if path.Base(l.address) == path.Base(l.to) && from != "/" && from != to {
			groups[folders{from, to}] = append(groups[folders{from, to}], l.address)
		}
	}
	out := map[string]string{}
	for f, addresses := range groups {
		if len(addresses) < 2 {
			continue
		}
		for _, a := range addresses {
			out[a] = redirectRule(f.from+"/:slug*", strings.TrimSuffix(f.to, "/")+"/:slug*")
		}
	}
	return out
}

// redirectRule returns an entry of "redirects" in the site file.
func redirectRule(from, to string) string {
	quote := func(s string) string {
		text, err := json.Marshal(s)
		if err != nil {
			return `""` // a string can always be encoded
		}
		return string(text)
	}
	return fmt.Sprintf(`{ "source": %s, "destination": %s }`, quote(from), quote(to))
}
