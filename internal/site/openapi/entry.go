package openapi

import (
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Entry is a reference to an operation, webhook, schema or channel as authors write it.
type Entry struct {
	File   string // the description; "" = any that contains it
	Method string // upper case, Webhook for webhooks; "" for schemas and channels
	Path   string // path, or name of a webhook, schema or channel
}

var entry = lazyregexp.New(`(?is)^(?:(\S.*?)\s+)?(get|post|put|patch|delete|head|options|trace|webhook)\s+(\S.*)$`)

// ParseEntry reads "GET /pets", "api.yaml GET /pets", "webhook petAdded". ok is false for anything else.
func ParseEntry(written string) (e Entry, ok bool) {
	m := entry.FindStringSubmatch(strings.TrimSpace(written))
	if m == nil {
		return Entry{}, false
	}
	e = Entry{File: strings.Trim(m[1], `"'`), Method: strings.ToUpper(m[2]), Path: strings.TrimSpace(m[3])}
	if e.Method != Webhook && !strings.HasPrefix(e.Path, "/") && !Remote(e.Path) {
		e.Path = "/" + e.Path
	}
	return e, true
}

// ParseName parses "Pet" or "api.yaml Pet": the name of a schema or a channel, optionally with its description
// before it.
func ParseName(written string) Entry {
	written = strings.TrimSpace(written)
	if i := strings.LastIndexAny(written, " \t"); i > 0 && strings.Contains(written[:i], ".") {
		return Entry{File: strings.TrimSpace(written[:i]), Path: written[i+1:]}
	}
	if file, rest, ok := strings.Cut(written, " "); ok {
		return Entry{File: file, Path: strings.TrimSpace(rest)}
	}
	return Entry{Path: written}
}

// PagePath returns the path of an operation's page below directory. The path consists of the first tag and the summary,
// each as a piece of a URL. An x-mint href replaces the whole path.
func (o *Operation) PagePath(directory string) string {
	if href := strings.Trim(o.Mint.Href, "/ "); href != "" && !Remote(href) {
		return href
	}
	name := Slug(o.Summary)
	if name == "" && o.Method != Webhook {
		name = Slug(strings.ToLower(o.Method) + " " + strings.NewReplacer("/", " ", "{", "", "}", "").Replace(o.Path))
	}
	if name == "" {
		name = Slug(o.Path)
	}
	tag := ""
	if len(o.Tags) > 0 {
		tag = Slug(o.Tags[0])
	}
	return joinPath(directory, tag, name)
}

// PagePath returns the path of a channel's page below directory.
func (c *Channel) PagePath(directory string) string { return joinPath(directory, "", Slug(c.Title)) }

func joinPath(pieces ...string) string {
	var out []string
	for _, p := range pieces {
		if p = strings.Trim(p, "/ "); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "/")
}

// Slug converts a tag or a summary to a piece of a URL. Existing sites link to such pages, so it follows the rule that
// their links imply: lower case; white space becomes a dash, and a dash between spaces becomes two dashes; letters,
// digits, "_" and "-" are kept; everything else is dropped.
func Slug(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(s)), " "), " - ", "--")
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		}
		return -1
	}, s), "-")
}
