package route

import (
	"strconv"
	"strings"
)

// Twin is the name of a page's Markdown form; ok is false for files that are no page or have none.
func Twin(name string, has func(string) bool) (twin string, ok bool) {
	page, ok := strings.CutSuffix(name, ".html")
	if !ok || !has(page+".md") {
		return "", false
	}
	return page + ".md", true
}

// PageOf is the page that a Markdown twin belongs to; ok is false for every other file.
func PageOf(name string, has func(string) bool) (page string, ok bool) {
	page, ok = strings.CutSuffix(name, ".md")
	return page, ok && has(page+".html")
}

// PrefersMarkdown reads Accept: whether the reader asks for Markdown, or for plain text, rather than for HTML. It has to be asked for
// by name. On equal terms the type named first wins, and a name wins over a wildcard, so that browsers, which name text/html and end
// in */*, get HTML, and "text/markdown, */*" gets Markdown.
func PrefersMarkdown(accept []string) bool {
	text, html, wild := wish{}, wish{}, wish{}
	at := 0
	for _, header := range accept {
		for part := range strings.SplitSeq(header, ",") {
			name, q := mediaRange(part)
			at++
			switch name {
			case "text/markdown", "text/plain":
				text.take(q, at)
			case "text/html", "application/xhtml+xml":
				html.take(q, at)
			case "*/*", "text/*":
				wild.take(q, at)
			}
		}
	}
	switch {
	case text.q == 0:
		return false
	case html.at == 0: // not named: what a wildcard allows, at best
		return text.q >= wild.q
	case text.q == html.q:
		return text.at < html.at
	}
	return text.q > html.q
}

// wish is how much a reader wants something, and where in the list that was said; at is 0 when it was not.
type wish struct {
	q  float64
	at int
}

func (w *wish) take(q float64, at int) {
	if w.at == 0 || q > w.q {
		w.q, w.at = q, at
	}
}

// mediaRange reads one entry of Accept. A weight that cannot be read counts as none given.
func mediaRange(entry string) (name string, q float64) {
	name, params, _ := strings.Cut(entry, ";")
	q = 1
	for p := range strings.SplitSeq(params, ";") {
		key, value, _ := strings.Cut(p, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "q") {
			continue
		}
		if n, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && n >= 0 && n <= 1 {
			q = n
		}
	}
	return strings.ToLower(strings.TrimSpace(name)), q
}

// AcceptsGzip reads Accept-Encoding as far as needed: gzip or *, not refused with q=0.
func AcceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name != "gzip" && name != "*" {
			continue
		}
		q := strings.ReplaceAll(params, " ", "")
		return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
	}
	return false
}
