package build

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// checkSiteLinks checks the addresses in the site file once for all pages.
func checkSiteLinks(s *site.Site, addr *addresses) (list diag.List) {
	refs := []string{s.Favicon.Light, s.Favicon.Dark, s.Logo.Light, s.Logo.Dark, s.Logo.Href}
	links := slices.Clone(s.Navbar.Links)
	if s.Navbar.Primary != nil {
		links = append(links, *s.Navbar.Primary)
	}
	for _, c := range s.Footer.Columns {
		links = append(links, c.Items...)
	}
	for _, l := range append(links, s.Footer.Socials...) {
		refs = append(refs, l.Href)
	}
	site.Walk(s.Nav, func(n *site.Node) bool {
		refs = append(refs, n.Href)
		return true
	})
	list = checkSourceLinks(s)
	slices.Sort(refs)
	from := addr.From("index", "index")
	for _, ref := range slices.Compact(refs) {
		switch from.Resolve(rooted(ref)).Kind {
		case link.Broken:
			list.Warnf(diag.Pos{File: s.File}, "broken-link", brokenLinkText, ref)
		case link.Unsafe:
			const text = "The address %q has a scheme that is not allowed in pages and is removed."
			list.Warnf(diag.Pos{File: s.File}, "unsafe-link", text, ref)
		}
	}
	return list
}

// checkSourceLinks reports links to the source that the author requested but that pages cannot have.
func checkSourceLinks(s *site.Site) (list diag.List) {
	r := s.Repository
	for _, want := range []struct {
		asked    site.Asked
		key, url string
	}{
		{s.SuggestEdit, "feedback.suggestEdit", r.Edit("x")}, {s.RaiseIssue, "feedback.raiseIssue", r.Issue("x", "x")},
	} {
		if !want.asked.On || want.url != "" {
			continue
		}
		why := "the site's repository is unknown"
		hint := "Keep the docs in a repository on a code host that Lectern knows; " +
			"the operator adds other hosts with forge.hosts."
		if r.Web != "" {
			why = "the code host of " + r.Web + " has no such address"
			hint = "Remove the key, or add a link of your own to navbar or footer."
		}
		list.Warnf(want.asked.Pos, "inapplicable-key", "%q has no effect: %s.", want.key, why)
		list.Hint(hint)
	}
	return list
}
