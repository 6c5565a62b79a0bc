package link

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
)

// sitemapMax is how many addresses the protocol allows in one file.
const sitemapMax = 50_000

// SitemapFile is one file of a sitemap.
type SitemapFile struct {
	Path string
	Data []byte
}

// Sitemap lists pages in the given order. A large site gets an index at sitemap.xml and numbered parts. There are no dates in it:
// they would make equal sites differ.
func (t *Table) Sitemap(pages []string) []SitemapFile {
	if len(pages) <= sitemapMax {
		return []SitemapFile{{"sitemap.xml", t.urlset(pages)}}
	}
	var parts []SitemapFile
	var index bytes.Buffer
	index.WriteString(xml.Header + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for len(pages) > 0 {
		n := min(sitemapMax, len(pages))
		name := "sitemap-" + strconv.Itoa(len(parts)+1) + ".xml"
		parts = append(parts, SitemapFile{name, t.urlset(pages[:n])})
		fmt.Fprintf(&index, "  <sitemap><loc>%s</loc></sitemap>\n", xmlText(t.base+"/"+name))
		pages = pages[n:]
	}
	index.WriteString("</sitemapindex>\n")
	return append([]SitemapFile{{"sitemap.xml", index.Bytes()}}, parts...)
}

func (t *Table) urlset(pages []string) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, p := range pages {
		fmt.Fprintf(&b, "  <url><loc>%s</loc></url>\n", xmlText(t.Canonical(p)))
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

// Robots is the robots.txt of a site that may be read by everyone.
func (t *Table) Robots() []byte {
	out := "User-agent: *\nAllow: /\n"
	if t.base != "" {
		out += "\nSitemap: " + t.base + "/sitemap.xml\n"
	}
	return []byte(out)
}

func xmlText(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer never fails
	return b.String()
}
