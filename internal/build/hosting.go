package build

import (
	"context"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/hostconfig"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// immutableFolders lists folders in which every file name changes with its content.
func immutableFolders() []string {
	return []string{asset.Folder + "/fonts", asset.Folder + "/katex", asset.Folder + "/island"}
}

// writeHostRules writes configuration files for static hosts into bundles. An author's file at the root replaces
// ours. notFoundScript is the digest of the inline script in 404.html, from writeNotFound.
func writeHostRules(
	ctx context.Context, w *siteWriter, addr *addresses, pages entries, notFoundScript string,
	external capability.External,
) error {
	if addr.style != link.Relative {
		return nil
	}
	s := hostconfig.Site{
		Moved: addr.Moved(w.src.site.Redirects), Base: addr.basePath(), Lasting: immutableFolders(),
		Script: notFoundScript, Policy: hostPolicy(w.src.site, external, notFoundScript),
	}
	for i := range pages {
		if dir, ok := strings.CutSuffix(pages[i].page.Path, "/index"); ok {
			s.Indexes = append(s.Indexes, dir)
		}
	}
	keeps := load.Keeps(w.src.unrecorded())
	for _, f := range hostconfig.Files(s) {
		if !strings.Contains(f.Path, "/") && keeps(f.Path) {
			if own, ok := w.readExtra(f.Path); ok {
				f.Data = own
			}
		}
		if !w.Free(f.Path) {
			continue
		}
		if err := w.Put(ctx, output.File{Path: f.Path, ContentType: plainText(f.Path), Data: f.Data}); err != nil {
			return err
		}
	}
	return nil
}

// plainText returns the media type of a host's configuration file, so that browsers show it as text.
func plainText(name string) string {
	if path.Ext(name) == ".json" {
		return output.ContentType(name)
	}
	return "text/plain; charset=utf-8"
}
