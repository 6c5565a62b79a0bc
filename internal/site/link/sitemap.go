package link

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"time"
)

// Limits for one sitemap file, as in the protocol: the number of URLs, and the size in bytes, with a margin.
const (
	sitemapMax   = 50_000
	sitemapBytes = 45 << 20
)

// SitemapFile is one file of a sitemap.
type SitemapFile struct {
	Path string
	Data []byte
}

// SitemapPage is one page of a sitemap.
type SitemapPage struct {
	Page       string
	Modified   time.Time   // zero = unknown
	Alternates []Alternate // the page in all its languages, including its own; empty if it exists in only one
}

// Alternate is a page in one language, or in the default language ("x-default").
type Alternate struct{ Language, Page string }

// Sitemap yields the files of a sitemap, which lists pages in the given order. A large site gets numbered parts,
// followed by an index at sitemap.xml. The dates come from the source, so that identical sites have identical sitemaps.
func (t *Table) Sitemap(pages []SitemapPage, emit func(SitemapFile) error) error {
	var parts []string
	for first := true; first || len(pages) > 0; first = false {
		data, rest := t.urlset(pages)
		if first && len(rest) == 0 {
			return emit(SitemapFile{"sitemap.xml", data})
		}
		name := "sitemap-" + strconv.Itoa(len(parts)+1) + ".xml"
		if err := emit(SitemapFile{name, data}); err != nil {
			return err
		}
		parts, pages = append(parts, name), rest
	}
	var index bytes.Buffer
	index.WriteString(xml.Header + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, name := range parts {
		fmt.Fprintf(&index, "  <sitemap><loc>%s</loc></sitemap>\n", xmlText(t.base+"/"+name))
	}
	index.WriteString("</sitemapindex>\n")
	return emit(SitemapFile{"sitemap.xml", index.Bytes()})
}

// urlset returns one file with as many of the pages as fit, and the remaining pages.
func (t *Table) urlset(pages []SitemapPage) (data []byte, rest []SitemapPage) {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`)
	b.WriteString(` xmlns:xhtml="http://www.w3.org/1999/xhtml">` + "\n")
	n := 0
	for ; n < len(pages) && n < sitemapMax && b.Len() < sitemapBytes; n++ {
		p := pages[n]
		fmt.Fprintf(&b, "  <url><loc>%s</loc>", xmlText(t.Canonical(p.Page)))
		if !p.Modified.IsZero() {
			b.WriteString("<lastmod>" + p.Modified.UTC().Format(time.RFC3339) + "</lastmod>")
		}
		for _, a := range p.Alternates {
			const element = "\n    <xhtml:link rel=\"alternate\" hreflang=\"%s\" href=\"%s\"/>"
			fmt.Fprintf(&b, element, xmlText(a.Language), xmlText(t.Canonical(a.Page)))
		}
		b.WriteString("</url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.Bytes(), pages[n:]
}

// signal is the content usage policy: search engines may index the pages, and programs may answer questions from them.
// Only authors can allow models to be trained on them, with a robots.txt of their own.
const signal = "Content-Signal: search=yes, ai-input=yes, ai-train=no\n"

// Robots returns the robots.txt of a site. If closed is set, it excludes all crawlers; otherwise everyone may crawl the
// site.
func (t *Table) Robots(closed bool) []byte {
	if closed {
		return []byte("User-agent: *\nDisallow: /\n")
	}
	out := "User-agent: *\n" + signal + "Allow: /\n"
	if t.base != "" {
		out += "\nSitemap: " + t.base + "/sitemap.xml\n"
	}
	return []byte(out)
}

func xmlText(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // writing to a buffer never fails
	return b.String()
}
