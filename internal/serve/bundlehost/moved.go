package bundlehost

import (
	"html"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
)

// maxMoved is the maximum size of a redirect page, in bytes.
const maxMoved = 8 << 10

// sendsOn matches the redirect pages that exports contain for hosts that can only serve files.
var sendsOn = lazyregexp.New(
	`(?s)^<!doctype html>.*<script src="[^"]*_lectern/moved\.[0-9a-f]+\.js" data-to="([^"]*)"></script>\n<noscript><meta http-equiv="refresh"`)

// moved returns the target of a redirect page, as a path from the root, or "" for an ordinary page.
func (a *reply) moved(v *bundlestore.Version, name string, f bundlestore.File) (to string) {
	if f.Size > maxMoved || !strings.HasSuffix(name, ".html") {
		return ""
	}
	in, err := v.Open(name, f, false)
	if err != nil {
		return "" // the error is reported when the page is sent
	}
	defer func() { _ = in.Close() }() // read only
	page, err := io.ReadAll(io.LimitReader(in, maxMoved))
	if err != nil {
		return ""
	}
	found := sendsOn.FindSubmatch(page)
	if found == nil {
		return ""
	}
	target, err := url.Parse(html.UnescapeString(string(found[1])))
	switch {
	case err != nil:
		return ""
	case target.Scheme == "http" || target.Scheme == "https":
		return target.String()
	case target.Scheme != "" || target.Host != "" || target.Opaque != "":
		return ""
	}
	target = (&url.URL{Path: a.host.opt.BasePath + "/" + path.Dir(name) + "/"}).ResolveReference(target)
	if page, ok := strings.CutSuffix(target.Path, ".html"); ok { // the URL without .html
		if target.Path = page; path.Base(page) == "index" {
			target.Path = strings.TrimSuffix(page, "index")
		}
	}
	if target.RawPath = ""; !strings.HasPrefix(target.Path, "/") || strings.HasPrefix(target.Path, "//") {
		return ""
	}
	return target.String()
}
