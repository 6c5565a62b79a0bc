package hostconfig

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// Limits of Cloudflare Pages for one file. Netlify and GitLab Pages, whose operators may permit fewer rules, read
// the same format.
const (
	redirectsStatic  = 2000
	redirectsDynamic = 100
	redirectsLine    = 1000
)

// netlify writes _redirects, which Netlify, Cloudflare Pages, GitLab Pages and others read at the root of a site.
//
// Grammar: source, destination and status, separated by blanks. In a source, ":name" matches one piece of a path, and
// "*" at the end matches the rest, which is :splat in the destination.
func netlify(s Site) *sheet {
	h := &sheet{host: "Netlify, Cloudflare Pages, GitLab Pages", path: "_redirects", plain: true}
	h.line("# Old addresses of this site, for hosts that read this file at the root of what they serve.")
	h.line("# The rules apply to a site at %s/ of its host.", s.Base)
	static, dynamic := &limit{max: redirectsStatic}, &limit{max: redirectsDynamic}
	for _, exact := range []bool{true, false} { // exact rules must precede the others
		for _, m := range s.Moved {
			if _, is := m.Exact(); is != exact {
				continue
			}
			lines, why := redirectLines(m, s.Base)
			count := dynamic
			if exact {
				count = static
			}
			switch {
			case why != "":
				h.leave(m, why)
			case m.Covers: // other hosts look for a file first: their users may want to add it
				h.leave(m, whyCovers+"; on one that looks for files first, add "+strings.Join(lines, " and "))
			case !count.take(len(lines)):
				h.leave(m, whyMany)
			default:
				for _, l := range lines {
					h.line("%s", l)
				}
			}
		}
	}
	return h
}

// limit counts how many more rules a host accepts.
type limit struct{ used, max int }

func (l *limit) take(n int) bool {
	if l.used+n > l.max {
		return false
	}
	l.used += n
	return true
}

// redirectLines returns the lines of one rule.
func redirectLines(m link.Moved, base string) (lines []string, why string) {
	if !usable(m) {
		return nil, whyCharacters
	}
	for _, v := range rootless(m) {
		source, dest := encode(escapePath(base), ":*"), ""
		names := map[string]string{}
		for i, p := range v.Pieces {
			source += "/" + encode(escapePath(p.Literal), ":*")
			switch {
			case p.Name == "":
				continue
			case p.Expr != "", p.Many && i < len(v.Pieces)-1, !p.Many && p.Literal != "", i >= 20:
				return nil, whyWildcards
			}
			caught := letter(i + 1)
			if source += ":" + caught; p.Many {
				source, caught = strings.TrimSuffix(source, ":"+caught)+"*", "splat"
			}
			if names[p.Name] == "" {
				names[p.Name] = ":" + caught
			}
		}
		if local(v.To) {
			dest = encode(base, ":*")
		}
		for _, part := range v.To {
			dest += notation(part.Literal) + names[part.Name]
		}
		line := source + " " + dest + " " + strconv.Itoa(code(m))
		if len(line) > redirectsLine || strings.ContainsAny(source+dest, " \t") {
			return nil, whyCharacters
		}
		lines = append(lines, line)
	}
	if lines == nil {
		return nil, whyWildcards
	}
	return lines, ""
}

// notation escapes literal text of a destination so that no part of it is interpreted as a wildcard. It keeps the
// colons of a scheme and of a port, because names do not start with a slash or a digit.
func notation(literal string) string {
	scheme, rest, web := strings.Cut(literal, "://")
	if !web {
		return encode(literal, ":*")
	}
	host, path, below := strings.Cut(rest, "/")
	out := scheme + "://" + encode(host, "*")
	if below {
		out += "/" + encode(path, ":*")
	}
	return out
}

// rootless splits a rule in which the rest of a path would directly follow the first slash of its destination. In both
// new rules, the first piece of that rest cannot be empty: otherwise, the author of a link could choose the host,
// because a destination such as "//host" leads there. It returns nil if the rule cannot be split.
func rootless(m link.Moved) []link.Moved {
	at := len(m.Pieces) - 1
	last := m.Pieces[at]
	switch {
	case !last.Many || !local(m.To) || len(m.To) < 2 || strings.Trim(m.To[0].Literal, "/") != "" ||
		m.To[1].Name != last.Name:
		return []link.Moved{m}
	case last.Literal != "": // these hosts do not support a literal before a wildcard
		return nil
	}
	const first = "\x00first" // not a valid name for authors
	single, more := m, m
	single.Pieces = append(m.Pieces[:at:at], link.Piece{Name: first})
	more.Pieces = append(m.Pieces[:at:at], link.Piece{Name: first}, last)
	single.To = append([]link.Text{m.To[0], {Name: first}}, m.To[2:]...)
	more.To = append([]link.Text{m.To[0], {Name: first}, {Literal: "/"}}, m.To[1:]...)
	return []link.Moved{single, more}
}

// headers writes _headers, which the same hosts read: paths, each followed by header fields.
func headers(s Site) []byte {
	var b strings.Builder
	b.WriteString("# Files whose names change with their content can be cached forever.\n")
	fmt.Fprintf(&b, "# The rules apply to a site at %s/ of its host.\n", s.Base)
	for _, folder := range s.Lasting {
		fmt.Fprintf(&b, "%s/%s/*\n  Cache-Control: %s\n", escapePath(s.Base), escapePath(folder), lasting)
	}
	return []byte(b.String())
}
