package hostconfig

import (
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// vercelRules is the maximum number of redirects that a project can have.
const vercelRules = 2048

// vercel writes vercel.json. Redirects take precedence over files, so no redirect may match a page. If the host's own
// setting for clean addresses were used, relative links on a folder's page would lead to the wrong pages, so clean
// addresses are written as rules.
func vercel(s Site) *sheet {
	h := &sheet{host: "Vercel", path: path.Join(Folder, "vercel.json")}
	count := &limit{max: vercelRules}
	redirects := []dict{}
	base := vercelPath(s.Base)
	for _, dir := range s.Indexes {
		if count.take(1) {
			to := escapePath(s.Base + "/" + dir + "/")
			redirects = append(redirects,
				dict{"source": base + "/" + vercelPath(dir), "destination": to, "statusCode": 301})
		}
	}
	for _, m := range s.Moved {
		source, to, why := vercelRule(m, s.Base)
		switch {
		case why == "" && m.Covers:
			why = whyCovers
		case why == "" && !count.take(1):
			why = whyMany
		}
		if why != "" {
			h.leave(m, why)
			continue
		}
		redirects = append(redirects, dict{"source": source, "destination": to, "statusCode": code(m)})
	}
	var lastingFiles []dict
	for _, folder := range s.Lasting {
		lastingFiles = append(lastingFiles, cached("source", base+"/"+vercelPath(folder)+"/(.*)"))
	}
	return h.object(dict{
		"redirects": redirects, "headers": lastingFiles,
		// applied if there is no file
		"rewrites": []dict{{"source": base + "/(.*)", "destination": escapePath(s.Base) + "/$1.html"}},
	})
}

// vercelPath escapes literal text for a pattern.
func vercelPath(s string) string {
	return vercelEscapes.Replace(escapePath(s))
}

var vercelEscapes = strings.NewReplacer("(", `\(`, ")", `\)`, ":", `\:`, "*", `\*`, "+", `\+`, "?", `\?`, ".", `\.`)

func vercelRule(m link.Moved, base string) (source, to, why string) {
	if !usable(m) {
		return "", "", whyCharacters
	}
	source = vercelPath(base)
	names := map[string]string{}
	for i, p := range m.Pieces {
		source += "/" + vercelPath(p.Literal)
		if p.Name == "" {
			continue
		}
		name := ":" + letter(i+1)
		switch {
		case p.Expr != "", i >= 20, p.Literal != "" && !p.Many:
			return "", "", whyWildcards
		case p.Many && p.Literal != "":
			source += name + `([^/]+(?:/[^/]+)*)`
		case p.Many:
			name += "*"
			source += name
		default:
			source += name
		}
		if names[p.Name] == "" {
			names[p.Name] = name
		}
	}
	if local(m.To) {
		to = encode(escapePath(base), ":*+()")
	} else if port(m.To[0].Literal) {
		return "", "", whyAddress
	}
	for _, part := range m.To {
		scheme, rest, web := strings.Cut(part.Literal, "://")
		if !web {
			scheme, rest = "", part.Literal
		} else {
			scheme += "://"
		}
		to += scheme + encode(rest, ":*+()$") + names[part.Name]
	}
	return source, to, ""
}

// port reports whether an address contains a port. Some hosts interpret the colon before a port as the start of a
// wildcard.
func port(literal string) bool {
	_, rest, web := strings.Cut(literal, "://")
	host, _, _ := strings.Cut(rest, "/")
	return web && strings.Contains(host, ":")
}
