package feed

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/markdown"
)

// Page is the changelog page from which a feed is generated.
type Page struct {
	Title       string
	Description string
	URL         string // absolute if the site's origin is known
	Self        string // of the feed itself; "" = unknown
	Language    string
	Entries     []Entry
}

// Entry is one item of the feed.
type Entry struct {
	Title       string
	Description string // plain text
	Content     string // safe HTML
	Anchor      string // on the page; "" = none
	Date        time.Time
	Tags        []string
}

// maxEntries limits the number of entries in a feed. Readers of a feed only want recent ones.
const maxEntries = 200

// Place is a heading of the rendered page, in reading order.
type Place struct{ ID, Text string }

// Entries returns the updates of a page. places are the page's headings. The heading of an update is the next one whose
// text is the label of the update.
func Entries(nodes []ast.Node, places []Place, resolve markdown.Resolve) (out []Entry) {
	at := 0
	ast.Walk(nodes, func(n ast.Node) bool {
		e, ok := n.(*ast.Element)
		if !ok || e.Name != "Update" {
			return true
		}
		if len(out) >= maxEntries {
			return false
		}
		entry := read(e, resolve)
		label := label(e)
		for i := at; i < len(places); i++ {
			if places[i].Text == label {
				entry.Anchor, at = places[i].ID, i+1
				break
			}
		}
		out = append(out, entry)
		return false
	})
	return out
}

// label returns the text of an update's heading.
func label(e *ast.Element) string {
	for _, prop := range [...]string{"label", "date"} {
		if nodes, ok := e.Prop(prop).(ast.Nodes); ok {
			return ast.PlainText(nodes)
		}
		if s := e.Str(prop); s != "" {
			return s
		}
	}
	return ""
}

// read creates an entry from an update. Values in rss={{…}} take precedence over the ones that the page shows.
func read(e *ast.Element, resolve markdown.Resolve) Entry {
	entry := Entry{Title: label(e), Tags: markdown.Tags(e)}
	if o, ok := e.Prop("rss").(*ast.Object); ok {
		if s, ok := o.Get("title").(string); ok && s != "" {
			entry.Title = s
		}
		entry.Description, _ = o.Get("description").(string)
	}
	entry.Content = contentHTML(markdown.Fragment(e.Children, resolve))
	if entry.Description == "" {
		entry.Description = summary(plainText(entry.Content))
	}
	for _, text := range []string{e.Str("date"), label(e), e.Str("description")} {
		if d, ok := Date(text); ok {
			entry.Date = d
			break
		}
	}
	return entry
}

// maxSummary limits the description that is derived from an entry's text, in characters.
const maxSummary = 300

// summary returns the beginning of text on one line, cut between words.
func summary(text string) string {
	words := strings.Fields(text)
	out := strings.Join(words, " ")
	if len([]rune(out)) <= maxSummary {
		return out
	}
	out = string([]rune(out)[:maxSummary])
	if space := strings.LastIndexByte(out, ' '); space > 0 {
		out = out[:space]
	}
	return out + "…"
}

// Date parses a date in one of the common formats.
func Date(text string) (time.Time, bool) {
	text = strings.Join(strings.Fields(text), " ")
	for _, layout := range [...]string{
		"2006-01-02", time.RFC3339, "2006/01/02", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006",
		"2 January 2006", "2 Jan 2006", "Monday, January 2, 2006", "January 2006", "Jan 2006", "2006-01",
	} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// Render writes the feed.
func (p Page) Render() []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"` +
		` xmlns:content="http://purl.org/rss/1.0/modules/content/">` + "\n<channel>\n")
	element(&b, "title", p.Title)
	element(&b, "link", p.URL)
	description := p.Description
	if description == "" {
		description = p.Title
	}
	element(&b, "description", description)
	element(&b, "language", p.Language)
	if p.Self != "" {
		fmt.Fprintf(&b, "<atom:link href=\"%s\" rel=\"self\" type=\"application/rss+xml\"/>\n", escape(p.Self))
	}
	newest := time.Time{}
	for _, e := range p.Entries {
		if e.Date.After(newest) {
			newest = e.Date
		}
	}
	if !newest.IsZero() {
		element(&b, "lastBuildDate", newest.Format(time.RFC1123Z))
	}
	taken := map[string]int{}
	for _, e := range p.Entries {
		p.item(&b, e, taken)
	}
	b.WriteString("</channel>\n</rss>\n")
	return b.Bytes()
}

// item writes one entry. Its guid is its anchor on the page, which stays the same when the text is corrected.
func (p Page) item(b *bytes.Buffer, e Entry, taken map[string]int) {
	link := p.URL
	if e.Anchor != "" {
		link += "#" + (&url.URL{Fragment: e.Anchor}).EscapedFragment()
	}
	guid := link
	if taken[guid]++; taken[guid] > 1 {
		guid += fmt.Sprintf("?%d", taken[guid])
	}
	b.WriteString("<item>\n")
	element(b, "title", e.Title)
	element(b, "link", link)
	fmt.Fprintf(b, "<guid isPermaLink=\"%t\">%s</guid>\n", guid == link && strings.Contains(link, "://"), escape(guid))
	if !e.Date.IsZero() {
		element(b, "pubDate", e.Date.Format(time.RFC1123Z))
	}
	for _, t := range e.Tags {
		element(b, "category", t)
	}
	// Feed readers interpret the description of an item as HTML, so it is escaped twice.
	element(b, "description", html.EscapeString(e.Description))
	element(b, "content:encoded", e.Content)
	b.WriteString("</item>\n")
}

func element(b *bytes.Buffer, name, text string) {
	if text != "" {
		fmt.Fprintf(b, "<%s>%s</%s>\n", name, escape(text), name)
	}
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // writing to a buffer never fails
	return b.String()
}
