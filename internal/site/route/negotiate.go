package route

import (
	"strconv"
	"strings"
)

// Twin returns the name of a page's Markdown form. ok is false if the file is not a page or the page has no Markdown
// form.
func Twin(name string, has func(string) bool) (twin string, ok bool) {
	page, ok := strings.CutSuffix(name, ".html")
	if !ok || !has(page+".md") {
		return "", false
	}
	return page + ".md", true
}

// PageOf returns the page that a Markdown form belongs to. ok is false for every other file.
func PageOf(name string, has func(string) bool) (page string, ok bool) {
	page, ok = strings.CutSuffix(name, ".md")
	return page, ok && has(page+".html")
}

// PrefersMarkdown reports whether the Accept header prefers Markdown or plain text to HTML. The header must name the
// type. If weights are equal, the first type takes precedence, and a named type takes precedence over a wildcard.
// Browsers send text/html and a final */*, so they get HTML. "text/markdown, */*" gets Markdown.
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
	case html.at == 0: // not named, so only a wildcard may allow it
		return text.q >= wild.q
	case text.q == html.q:
		return text.at < html.at
	}
	return text.q > html.q
}

// wish is the weight of a type and its position in the header. at is the position; it is 0 if the header does not name
// the type.
type wish struct {
	q  float64
	at int
}

func (w *wish) take(q float64, at int) {
	if w.at == 0 || q > w.q {
		w.q, w.at = q, at
	}
}

// mediaRange parses one entry of Accept. It ignores an invalid weight.
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

// AcceptsGzip reports whether Accept-Encoding contains gzip or * with a weight other than 0.
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
