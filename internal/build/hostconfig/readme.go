package hostconfig

import (
	"fmt"
	"path"
	"strings"
)

// use says what to do with a host's file.
var use = map[string]string{
	"_redirects":               "Read where it stands, beside _headers, when the bundle is what is published.",
	"nginx.conf":               "Include it in the server block whose root is the folder of the bundle.",
	"apache.conf":              "Copy it to the folder of the bundle as .htaccess, or include it in that folder's <Directory>.",
	"Caddyfile":                "Import it in the block of the site, below its root.",
	"vercel.json":              "Copy it to the folder of the bundle before deploying that folder.",
	"firebase.json":            "Copy it beside the folder of the bundle, which it takes to be named public.",
	"staticwebapp.config.json": "Copy it to the folder of the bundle before deploying that folder.",
	"s3-website.json":          "aws s3api put-bucket-website --bucket NAME --website-configuration file://s3-website.json",
}

// readme explains the files and lists what each host does not get: some of their formats cannot hold it.
func readme(s Site, sheets []*sheet) []byte {
	var b strings.Builder
	b.WriteString("Rules for hosts of this site. The bundle works without them wherever files are served; they make old addresses with\n")
	b.WriteString("wildcards and addresses without .html lead to their pages, and tell what may be cached.\n")
	fmt.Fprintf(&b, "They hold for a site at %s/ of its host.\n", s.Base)
	if s.Script != "" {
		fmt.Fprintf(&b, "\nIf your server sends a Content-Security-Policy: 404.html has a script of its own, which finds the site when the\n"+
			"page is shown for an address deep inside of it. Allow it with: script-src 'self' '%s'; base-uri 'self'\n", s.Script)
	}
	for _, h := range sheets {
		fmt.Fprintf(&b, "\n%s: %s\n  %s\n", h.host, h.path, use[path.Base(h.path)])
		if len(h.left) > 0 {
			b.WriteString("  Left out:\n")
			for _, l := range h.left {
				b.WriteString("    " + l + "\n")
			}
		}
	}
	return []byte(b.String())
}
