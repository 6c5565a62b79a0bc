package link

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

// probe is a sample match of a wildcard. No site contains such a piece.
const probe = "\u2042"

// CheckRedirects reports invalid rules of the site: rules that are never used, lead nowhere, loop, or would let readers
// choose the host. The list is in the order of the rules.
func (t *Table) CheckRedirects(rules []site.Redirect) (list diag.List) {
	first := map[string]site.Redirect{}
	for _, r := range rules {
		shape := shapeOf(r.Source)
		if earlier, again := first[shape]; again {
			list.Warnf(r.Pos, "duplicate-redirect",
				"An earlier redirect from %q, to %q, already applies; this one is never used.", earlier.Source,
				earlier.Destination)
			continue
		}
		first[shape] = r
		t.checkRedirect(r, &list)
	}
	return list
}

func (t *Table) checkRedirect(r site.Redirect, list *diag.List) {
	wild := Wildcard(r.Source)
	if !wild && t.shows(r.Source) {
		list.Warnf(r.Pos, "redirect-over-page", "%q is a page, so its redirect is never used.", r.Source)
		return
	}
	if _, ok := compile(SourcePath(r.Source), r); wild && !ok {
		list.Warnf(r.Pos, "bad-redirect", "The source %q cannot be parsed, so the redirect is not applied.", r.Source)
		list.Hint("Use :name for one path segment, :name* for any number of segments, or * at the end of the source for the rest of the path.")
		return
	}
	if wild && steersHost(r.Destination) {
		list.Warnf(r.Pos, "redirect-host",
			"The destination %q has a wildcard in its host, or one that could become part of it, "+
				"so the redirect is not applied.", r.Destination)
		list.Hint(
			"The author of a link could choose its target (open redirect). Write the host in full, or start with a slash.")
		return
	}
	if name := strayWildcard(r); name != "" {
		list.Warnf(r.Pos, "redirect-wildcard", "The destination %q uses %s, which the source %q does not have.",
			r.Destination, name, r.Source)
		return
	}
	switch end, ok := t.follow(r); {
	case !ok:
		list.Warnf(r.Pos, "redirect-loop", "The redirect from %q forms a loop.", r.Source)
	case strings.Contains(end, probe): // the destination depends on the request
	case t.From("index", "index").Resolve(end).Kind == Broken:
		list.Warnf(r.Pos, "broken-redirect", "The redirect from %q points to %q, which does not exist.", r.Source, end)
		list.Hint("Use an existing page, or remove the redirect.")
	}
}

// shows reports whether a source is a page of the tree, which takes precedence over redirects.
func (t *Table) shows(source string) bool {
	p := strings.TrimPrefix(SourcePath(source), "/")
	return p != "" && (t.pages[p] || t.pages[strings.TrimSuffix(p, ".html")] || t.pages[p+"/index"])
}

// maxHops limits a chain of redirects. Browsers have higher limits.
const maxHops = 10

// follow applies a rule and the rules that match its destination, and returns the final destination. ok is false if the
// rules form a loop.
func (t *Table) follow(r site.Redirect) (end string, ok bool) {
	p := SourcePath(r.Source)
	if Wildcard(p) {
		p = Sample(p)
	}
	seen := map[string]bool{p: true}
	dest, _, ok := t.redirects.Match(p)
	if !ok && strings.Contains(r.Destination, "/:") { // no sample matches the expression
		return probe, true
	}
	if !ok {
		return r.Destination, true
	}
	for range maxHops {
		if _, web := schemeOf(dest); web || strings.HasPrefix(dest, "//") {
			return dest, true
		}
		body, _, _ := strings.Cut(dest, "#")
		body, _, _ = strings.Cut(body, "?")
		next := clean(unescape(body))
		if t.shows(next) {
			return dest, true
		}
		if seen[next] {
			return dest, false
		}
		seen[next] = true
		further, _, more := t.redirects.Match(next)
		if !more {
			return unescape(dest), true
		}
		dest = further
	}
	return dest, false
}

// Sample returns a path that matches a source with wildcards.
func Sample(source string) string {
	pieces := strings.Split(source, "/")
	for i, s := range pieces {
		if m := expression.FindStringSubmatch(s); m != nil {
			pieces[i] = m[1] + probe
			continue
		}
		switch {
		case strings.HasPrefix(s, ":"):
			pieces[i] = probe
		case strings.HasSuffix(s, "*"):
			pieces[i] = strings.TrimSuffix(s, "*") + probe
		}
	}
	return strings.Join(pieces, "/")
}

// shapeOf returns a source without the names of its wildcards. Two rules whose shapes are equal match the same paths.
func shapeOf(source string) string {
	pieces := strings.Split(SourcePath(source), "/")
	for i, s := range pieces {
		switch {
		case strings.HasPrefix(s, ":") && strings.HasSuffix(s, "*"):
			pieces[i] = "*"
		case strings.HasPrefix(s, ":") && !strings.Contains(s, "("):
			pieces[i] = ":"
		}
	}
	return strings.Join(pieces, "/")
}

// strayWildcard returns a wildcard of the destination that the source does not define, or "".
func strayWildcard(r site.Redirect) string {
	caught := map[string]bool{}
	for _, s := range strings.Split(r.Source, "/") {
		if m := expression.FindStringSubmatch(s); m != nil {
			caught[":"+m[2]] = true
			continue
		}
		switch {
		case strings.HasPrefix(s, ":"):
			caught[strings.TrimSuffix(s, "*")] = true
		case strings.HasSuffix(s, "*"):
			caught["*"] = true
		}
	}
	dest := r.Destination
	if _, rest, web := strings.Cut(dest, "://"); web {
		_, dest, _ = strings.Cut(rest, "/") // the host may have a port
	}
	for _, s := range strings.FieldsFunc(dest, func(c rune) bool { return c == '/' || c == '?' || c == '#' }) {
		name := strings.TrimSuffix(s, "*")
		switch {
		case strings.HasPrefix(s, ":") && len(name) > 1 && !caught[name]:
			return s
		case !strings.HasPrefix(s, ":") && strings.HasSuffix(s, "*") && !caught["*"]:
			return s
		}
	}
	return ""
}
