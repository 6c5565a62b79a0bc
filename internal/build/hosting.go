package build

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/hostconfig"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/theme"
)

// immutableFolders lists folders in which every file name changes with its content.
func immutableFolders() []string {
	return []string{asset.Folder + "/fonts", asset.Folder + "/katex", asset.Folder + "/island"}
}

// writeHostRules writes configuration files for static hosts into bundles. A file of the author's replaces one that a
// host reads at the root.
func (b *builder) writeHostRules(ctx context.Context) error {
	if b.opt.Links != link.Relative {
		return nil
	}
	s := hostconfig.Site{Moved: b.addr.Moved(b.src.site.Redirects), Base: b.addr.basePath(), Lasting: immutableFolders(), Script: b.notFoundDigest}
	for i := range b.entries {
		if dir, ok := strings.CutSuffix(b.entries[i].page.Path, "/index"); ok {
			s.Indexes = append(s.Indexes, dir)
		}
	}
	keeps := load.Keeps(b.src.unrecorded())
	for _, f := range hostconfig.Files(s) {
		if !strings.Contains(f.Path, "/") && keeps(f.Path) {
			if own, ok := b.readExtra(f.Path); ok {
				f.Data = own
			}
		}
		if !b.w.Free(f.Path) {
			continue
		}
		if err := b.w.Put(ctx, output.File{Path: f.Path, ContentType: plainText(f.Path), Data: f.Data}); err != nil {
			return err
		}
	}
	return nil
}

// plainText returns the media type of a host's configuration file: browsers show it as text.
func plainText(name string) string {
	if path.Ext(name) == ".json" {
		return output.ContentType(name)
	}
	return "text/plain; charset=utf-8"
}

// writeNotFound writes 404.html unless the author has a page of that name.
func (b *builder) writeNotFound(ctx context.Context) error {
	if b.w.Has("404.html") {
		return nil
	}
	if b.opt.Links != link.Relative {
		return b.w.put(ctx, "404.html", b.theme.frame.NotFound(b.addr.rootView()))
	}
	script, err := b.tools.front.script(theme.Lost, nil)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(script)
	b.notFoundDigest = "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
	mark := asset.NewPart(path.Join(asset.Folder, "root.css"), fmt.Appendf(nil, "/* %s */\n", b.identity()))
	if err := b.w.putPart(ctx, mark); err != nil {
		return err
	}
	lost := layout.Lost{Script: script, Mark: mark.Path}
	if base := b.addr.basePath(); base != "" {
		lost.Base, lost.Home = (&url.URL{Path: base}).EscapedPath(), strings.TrimRight(b.opt.BaseURL, "/")+"/"
	}
	return b.w.put(ctx, "404.html", b.theme.frame.NotFoundAnywhere(b.addr.rootView(), lost))
}

// identity distinguishes this site from others on the same host that the same program built, by name and pages.
func (b *builder) identity() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q", b.src.site.Name, b.opt.BaseURL, b.opt.Version)
	for _, p := range b.src.site.Pages {
		_, _ = io.WriteString(h, "\n"+p.Path) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
