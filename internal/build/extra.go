package build

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/theme"
)

// checkSiteLinks checks the addresses in the site file once for all pages.
func (b *builder) checkSiteLinks(context.Context) error {
	refs := []string{b.src.site.Favicon.Light, b.src.site.Favicon.Dark, b.src.site.Logo.Light, b.src.site.Logo.Dark, b.src.site.Logo.Href}
	links := slices.Clone(b.src.site.Navbar.Links)
	if b.src.site.Navbar.Primary != nil {
		links = append(links, *b.src.site.Navbar.Primary)
	}
	for _, c := range b.src.site.Footer.Columns {
		links = append(links, c.Items...)
	}
	for _, l := range append(links, b.src.site.Footer.Socials...) {
		refs = append(refs, l.Href)
	}
	site.Walk(b.src.site.Nav, func(n *site.Node) bool {
		refs = append(refs, n.Href)
		return true
	})
	b.sourceLinks()
	slices.Sort(refs)
	from := b.addr.From("index", "index")
	for _, ref := range slices.Compact(refs) {
		switch from.Resolve(rooted(ref)).Kind {
		case link.Broken:
			b.w.warn(diag.Pos{File: b.src.site.File}, "broken-link", "There is no page or file %q.", ref)
		case link.Unsafe:
			b.w.warn(diag.Pos{File: b.src.site.File}, "unsafe-link", "The address %q is of a kind that pages must not lead to, and is left out.", ref)
		}
	}
	return nil
}

// sourceLinks reports links to the source that the author asked for and that pages cannot have.
func (b *builder) sourceLinks() {
	r := b.src.site.Repository
	for _, want := range []struct {
		asked    site.Asked
		key, url string
	}{
		{b.src.site.SuggestEdit, "feedback.suggestEdit", r.Edit("x")}, {b.src.site.RaiseIssue, "feedback.raiseIssue", r.Issue("x", "x")},
	} {
		if !want.asked.On || want.url != "" {
			continue
		}
		why := "the repository of the site is not known"
		hint := "Keep the docs in a repository on GitHub, GitLab, Gitea or Bitbucket; other hosts are named in forge.hosts."
		if r.Web != "" {
			why, hint = "the code host of "+r.Web+" has no such address", "Remove the key, or add a link of your own to navbar or footer."
		}
		b.w.warn(want.asked.Pos, "inapplicable-key", "%q is known and has no effect: %s.", want.key, why)
		b.w.hint(hint)
	}
}

// writeRedirects writes a page for each exact rule and for each folder, for bundles that may be served without a server
// of ours. Wildcards cannot be files.
func (b *builder) writeRedirects(ctx context.Context) error {
	b.w.addFindings(b.addr.CheckRedirects(b.src.site.Redirects))
	folders := b.addr.Folders()
	b.w.report.Redirects = append(slices.Clip(b.w.report.Redirects), folders...)
	if b.opt.Links != link.Relative {
		return nil
	}
	script, err := b.tools.front.script(theme.Moved, nil)
	if err != nil {
		return err
	}
	moved := asset.NewPart(path.Join(asset.Folder, "moved.js"), script)
	claimed := map[string]bool{} // by assets, which are copied later
	for _, a := range b.src.site.Assets {
		claimed[strings.ToLower(a.Path)] = true
	}
	for _, r := range append(slices.Clip(b.src.site.Redirects), folders...) {
		source := strings.TrimSuffix(strings.Trim(link.SourcePath(r.Source), "/"), ".html")
		file := link.File(source)
		if strings.HasPrefix(strings.ToLower(source), asset.Folder+"/") { // our own folder, not fully written yet
			continue
		}
		taken := b.src.site.Find(source) != nil || !b.w.Free(file) || claimed[strings.ToLower(file)]
		if source == "" || link.Wildcard(source) || !output.ValidPath(source) || taken {
			continue
		}
		if err := b.writeRedirect(ctx, source, r.Destination, moved); err != nil {
			return err
		}
	}
	return nil
}

// writeRedirect writes the page of one rule, unless its target is missing: then the address should answer "not found".
func (b *builder) writeRedirect(ctx context.Context, source, destination string, script asset.Part) error {
	from := b.addr.From(source, source)
	target := from.Resolve(destination)
	if target.Href == "" || target.Kind == link.Broken || target.Kind == link.ToAnchor { // an anchor would redirect to itself
		return nil
	}
	public := target.Href
	if target.Kind == link.ToPage {
		public = b.addr.Canonical(target.Page)
	}
	if err := b.w.putPart(ctx, script); err != nil {
		return err
	}
	return b.w.put(ctx, link.File(source), b.theme.frame.Redirect(b.addr.view(source, source), target.Href, public, script.Path))
}

// lfsPointer is the start of a file whose content Git LFS stores elsewhere.
var lfsPointer = []byte("version https://git-lfs.github.com/spec/v1\n")

// copyAssets copies the site's own files.
func (b *builder) copyAssets(ctx context.Context) error {
	for i, a := range b.src.site.Assets {
		b.opt.Progress(Progress{Stage: StageAssets, Done: b.w.report.Pages, Total: len(b.src.site.Pages), File: i, Files: len(b.src.site.Assets)})
		f, err := asset.Read(b.src.unrecorded(), a)
		if err != nil {
			b.w.warn(diag.Pos{File: a.Path}, "file-unreadable", "The file cannot be read and is left out.")
			continue
		}
		if bytes.HasPrefix(f.Data, lfsPointer) {
			b.w.warn(diag.Pos{File: a.Path}, "lfs-pointer", "The file is a pointer of Git LFS, not its content: readers get the pointer.")
			b.w.hint("Git LFS is not fetched; store the file in the repository itself.")
		}
		if !b.w.Free(a.Path) {
			b.w.warn(diag.Pos{File: a.Path}, "duplicate-file", "Another file already takes the place of this file.")
			continue
		}
		if err := b.w.Put(ctx, f); err != nil {
			return err
		}
	}
	return nil
}
