package link

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/site"
)

// Redirects matches request paths against the site's rules. It is safe for concurrent use.
//
// Grammar of a source: "/" pieces joined by "/". A piece is a literal, ":name" (one piece), ":name*" (any number of
// pieces, including none), ends in "*" (the rest of the path), or is a literal and ":name(expression)" (one piece; the
// rest of the path for ".*"). At most one piece of a source matches several pieces of a path. Exact sources take
// precedence over patterns. Among patterns, the first one wins.
type Redirects struct {
	exact    map[string]site.Redirect
	patterns []pattern
}

type pattern struct {
	head, tail []piece // pieces before and after the piece that matches many
	many       string  // name of that piece; "" = none, "*" = unnamed
	prefix     string  // literal text before the wildcard in that piece
	to         site.Redirect
	dest       []Text // parsed destination
}

// piece matches one piece of a path: a literal, followed by a wildcard if name is not "".
type piece struct {
	literal, name string
	expr          *regexp.Regexp // nil = anything
}

// NewRedirects compiles rules.
func NewRedirects(rules []site.Redirect) *Redirects {
	r := &Redirects{exact: map[string]site.Redirect{}}
	for _, rule := range rules {
		src := SourcePath(rule.Source)
		if !strings.ContainsAny(src, "*:") {
			if _, dup := r.exact[src]; !dup {
				r.exact[src] = rule
			}
			continue
		}
		if p, ok := compile(src, rule); ok && !steersHost(rule.Destination) {
			r.patterns = append(r.patterns, p)
		}
	}
	return r
}

// steersHost reports whether a wildcard of a destination is or may become part of the host or the scheme, so that
// anyone who writes a link could choose where it leads. Such a rule is not applied.
func steersHost(dest string) bool {
	if strings.Contains(dest, `\`) { // browsers treat a backslash as a slash
		return true
	}
	scheme, host, absolute := strings.Cut(dest, "://")
	switch {
	case strings.HasPrefix(dest, "/"), strings.HasPrefix(dest, "?"), strings.HasPrefix(dest, "#"):
		return false // the target is on this host: fill leaves only one slash at the start
	case !absolute:
		scheme, host = "", dest
	}
	if end := strings.IndexAny(host, "/?#"); end >= 0 {
		host = host[:end]
	}
	if at := strings.IndexByte(host, ':'); absolute && at >= 0 && strings.Trim(host[at+1:], "0123456789") == "" {
		host = host[:at] // remove the port
	}
	return strings.ContainsAny(scheme+host, "*:")
}

// Wildcard reports whether a source matches more than one path.
func Wildcard(source string) bool { return strings.ContainsAny(source, "*:") }

func clean(p string) string { return path.Clean("/" + strings.TrimSpace(p)) }

// SourcePath returns the path that a source matches, decoded like request paths. Authors copy escaped URLs into
// sources.
func SourcePath(source string) string {
	p := clean(source)
	u, err := url.PathUnescape(p)
	if err != nil || Wildcard(u) != Wildcard(p) || strings.Count(u, "/") != strings.Count(p, "/") {
		return p // decoding would change what the source matches
	}
	return clean(u)
}

// compile parses a pattern. ok is false if it contains an invalid expression.
func compile(src string, rule site.Redirect) (p pattern, ok bool) {
	p.to = rule
	for _, text := range strings.Split(strings.TrimPrefix(src, "/"), "/") {
		name, star := strings.CutSuffix(text, "*")
		one, rest, ok := parsePiece(text)
		switch {
		case !ok:
			return p, false
		case p.many != "":
			p.tail = append(p.tail, one)
		case rest:
			p.many, p.prefix = one.name, one.literal
		case star && strings.HasPrefix(name, ":") && len(name) > 1:
			p.many = name[1:]
		case star:
			p.many, p.prefix = "*", name
		default:
			p.head = append(p.head, one)
		}
	}
	p.dest = template(rule.Destination, p.names())
	return p, true
}

// names returns the names of the pattern's wildcards.
func (p *pattern) names() map[string]bool {
	out := map[string]bool{}
	for _, one := range append(p.head[:len(p.head):len(p.head)], p.tail...) {
		out[one.name] = true
	}
	out[p.many] = true
	delete(out, "")
	return out
}

// expression matches a literal followed by a named expression.
var expression = lazyregexp.New(`^([^:()]*):(\w+)\((.+)\)$`)

// parsePiece parses one piece. rest reports whether its expression matches the rest of the path. An expression that
// contains a slash has already been split at it, so its parts are invalid.
func parsePiece(text string) (one piece, rest, ok bool) {
	if !strings.ContainsAny(text, "()") {
		if name, param := strings.CutPrefix(text, ":"); param {
			return piece{name: name}, false, true
		}
		return piece{literal: text}, false, true
	}
	m := expression.FindStringSubmatch(text)
	if m == nil {
		return one, false, false
	}
	one = piece{literal: m[1], name: m[2]}
	if m[3] == ".*" {
		return one, true, true
	}
	var err error
	one.expr, err = regexp.Compile("^(?:" + m[3] + ")$")
	return one, false, err == nil
}

// match returns the rest of s, a piece of a path, after the literal.
func (p piece) match(s string) (text string, ok bool) {
	if p.name == "" {
		return "", s == p.literal
	}
	text, ok = strings.CutPrefix(s, p.literal)
	return text, ok && (p.expr == nil || p.expr.MatchString(text))
}

// Match finds the rule for a decoded request path and returns its destination.
func (r *Redirects) Match(reqPath string) (dest string, permanent, ok bool) {
	reqPath = clean(reqPath)
	if rule, ok := r.exact[reqPath]; ok {
		return rule.Destination, rule.Permanent, true
	}
	if len(r.patterns) == 0 {
		return "", false, false
	}
	var pieces []string
	if reqPath != "/" {
		pieces = strings.Split(reqPath[1:], "/")
	}
	for i := range r.patterns {
		if caught, ok := r.patterns[i].match(pieces); ok {
			return fill(r.patterns[i].dest, caught), r.patterns[i].to.Permanent, true
		}
	}
	return "", false, false
}

// caught holds what one wildcard matched: pieces of the request path.
type caught struct {
	name   string
	pieces []string
}

func (p *pattern) match(pieces []string) (out []caught, ok bool) {
	rest := len(pieces) - len(p.head) - len(p.tail)
	if rest < 0 || p.many == "" && rest > 0 || p.prefix != "" && rest == 0 {
		return nil, false
	}
	middle := pieces[len(p.head) : len(p.head)+rest]
	for i, want := range append(p.head[:len(p.head):len(p.head)], p.tail...) {
		at := i
		if i >= len(p.head) {
			at += rest
		}
		text, ok := want.match(pieces[at])
		if !ok {
			return nil, false
		}
		if want.name != "" {
			out = append(out, caught{want.name, []string{text}})
		}
	}
	if p.many == "" {
		return out, true
	}
	if p.prefix != "" {
		first, has := strings.CutPrefix(middle[0], p.prefix)
		if !has {
			return nil, false
		}
		middle = append([]string{first}, middle[1:]...)
	}
	return append(out, caught{p.many, middle}), true
}

// fill inserts the matched pieces into a destination. It escapes the pieces, and joins them so that the result cannot
// start with "//host".
func fill(dest []Text, all []caught) string {
	texts := map[string]string{}
	for _, c := range all {
		if _, twice := texts[c.name]; twice { // if two have the same name, use the first one
			continue
		}
		esc := make([]string, 0, len(c.pieces))
		for _, s := range c.pieces {
			if s != "" {
				esc = append(esc, url.PathEscape(s))
			}
		}
		texts[c.name] = strings.Join(esc, "/")
	}
	var b strings.Builder
	for _, part := range dest {
		b.WriteString(part.Literal)
		b.WriteString(texts[part.Name])
	}
	return oneSlash(b.String())
}

// oneSlash removes all but one slash from the start of a path, and all slashes from its end.
func oneSlash(dest string) string {
	if !strings.HasPrefix(dest, "/") {
		return dest
	}
	if dest = "/" + strings.TrimLeft(dest, "/"); len(dest) > 1 {
		dest = strings.TrimRight(dest, "/")
	}
	return dest
}
