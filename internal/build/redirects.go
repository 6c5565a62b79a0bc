package build

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/theme"
)

// writeRedirects writes a page for each exact rule and for each folder, for bundles that are served by other servers.
// Rules with wildcards cannot be written as pages. They are in a list for our server and in the configuration files for
// other hosts.
func writeRedirects(
	ctx context.Context, w *siteWriter, addr *addresses, frame *layout.Frame, front *frontEnd,
) error {
	s := w.src.site
	w.addFindings(addr.CheckRedirects(s.Redirects))
	folders := addr.Folders()
	w.report.Redirects = append(slices.Clip(w.report.Redirects), folders...)
	if addr.style != link.Relative {
		return nil
	}
	if list, err := addr.ListWildcards(); err != nil {
		return err
	} else if list != nil {
		if err := w.put(ctx, capability.RedirectsFile, list); err != nil {
			return err
		}
	}
	script, err := front.script(theme.Moved, nil)
	if err != nil {
		return err
	}
	moved := asset.NewPart(path.Join(asset.Folder, "moved.js"), script)
	claimed := map[string]bool{} // by assets, which are copied later
	for _, a := range s.Assets {
		claimed[strings.ToLower(a.Path)] = true
	}
	for _, r := range append(slices.Clip(s.Redirects), folders...) {
		from := strings.TrimSuffix(strings.Trim(link.SourcePath(r.Source), "/"), ".html")
		file := link.File(from)
		if strings.HasPrefix(strings.ToLower(from), asset.Folder+"/") { // the platform's own folder, which is not complete yet
			continue
		}
		taken := s.Find(from) != nil || !w.Free(file) || claimed[strings.ToLower(file)]
		if from == "" || link.Wildcard(from) || !output.ValidPath(from) || taken {
			continue
		}
		if err := writeRedirect(ctx, w, addr, frame, moved, from, r.Destination); err != nil {
			return err
		}
	}
	return nil
}

// writeRedirect writes the page of one rule, unless its target is missing, in which case the address must respond
// "not found".
func writeRedirect(
	ctx context.Context, w *siteWriter, addr *addresses, frame *layout.Frame, script asset.Part,
	from, destination string,
) error {
	target := addr.From(from, from).Resolve(destination)
	// an anchor would redirect to itself
	if target.Href == "" || target.Kind == link.Broken || target.Kind == link.ToAnchor {
		return nil
	}
	public := target.Href
	if target.Kind == link.ToPage {
		public = addr.Canonical(target.Page)
	}
	if err := w.putPart(ctx, script); err != nil {
		return err
	}
	return w.put(ctx, link.File(from), frame.Redirect(addr.view(from, from), target.Href, public, script.Path))
}
