package hostconfig

import (
	"fmt"
	"path"
	"strings"
)

// use explains what to do with a host's file.
var use = map[string]string{
	"_redirects":               "No setup needed if the bundle is published as it is: the host reads this file and _headers in the bundle's root.",
	"nginx.conf":               "Include it in the server block whose root is the bundle's folder.",
	"apache.conf":              "Copy it to the bundle's folder as .htaccess, or include it in the folder's <Directory> block.",
	"Caddyfile":                "Import it in the site's block, below its root.",
	"vercel.json":              "Copy it to the bundle's folder before deploying the folder.",
	"firebase.json":            "Copy it next to the bundle's folder, which must be named public.",
	"staticwebapp.config.json": "Copy it to the bundle's folder before deploying the folder.",
	"s3-website.json":          "aws s3api put-bucket-website --bucket NAME --website-configuration file://s3-website.json",
}

// readme explains the files and lists the rules that each host's format does not support.
func readme(s Site, sheets []*sheet) []byte {
	var b strings.Builder
	b.WriteString(
		"Rules for the site's web server or host. The bundle works without them on any file server; they redirect old addresses with\n")
	b.WriteString("wildcards, serve addresses without .html, and set caching.\n")
	fmt.Fprintf(&b, "They apply to a site at %s/ of its host.\n", s.Base)
	if s.Script != "" {
		fmt.Fprintf(&b,
			"\nIf your server sends a Content-Security-Policy: 404.html has a script of its own, which finds the site when the\n"+
				"page is shown for an address deep inside of it. Allow it with: script-src 'self' '%s'; base-uri 'self'\n", s.Script)
	}
	if s.Policy != "" {
		fmt.Fprintf(&b, "\nPages of this site use other hosts, because docs.json asks for it. A policy that allows them:\n%s\n", s.Policy)
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
