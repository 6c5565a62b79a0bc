package hostconfig

import (
	"path"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// caddy writes directives for a site block.
func caddy(s Site) *sheet {
	h := &sheet{host: "Caddy", path: path.Join(Folder, "Caddyfile"), plain: true}
	h.line("# Rules for Caddy. Import this file in the block of the site:")
	h.line("#     docs.example.com {")
	h.line("#         root * /srv/docs")
	h.line("#         import /srv/docs/%s/Caddyfile", Folder)
	h.line("#     }")
	h.line("# They apply to a site at %s/ of its host.", s.Base)
	h.line("@lectern_lasting path_regexp %s", caddyQuote("^"+decoded.literal(s.Base+"/")+fingerprinted))
	h.line("header @lectern_lasting Cache-Control %s", caddyQuote(lasting))
	h.line("map {query} {lectern_query} {")
	h.line("\t~(.+) \"?${1}\"")
	h.line("}")
	var exact, patterns sheet
	n := 0
	for _, m := range s.Moved {
		if why := caddyRefuses(m); why != "" {
			h.leave(m, why)
			continue
		}
		if at, ok := m.Exact(); ok {
			to := caddyArgs(destination(m.To, s.Base, nil, caddyAddress, nil))
			for _, end := range []string{"", "/"} {
				exact.line("\t%s %s %d", caddyQuote(s.Base+at+end), caddyQuote(to), code(m))
			}
			continue
		}
		re, groups, ok := sent.pattern(m, s.Base)
		if !ok {
			h.leave(m, whyWildcards)
			continue
		}
		n++
		name := "lectern" + strconv.Itoa(n)
		to := destination(m.To, s.Base, groups, caddyAddress,
			func(i int) string { return "{re." + name + "." + strconv.Itoa(i) + "}" })
		patterns.line("@%s {", name)
		patterns.line("\tvars_regexp %s {uri} %s", name, caddyQuote("^"+re+`/?(?:\?.*)?$`))
		patterns.line("\tnot file {path} {path}.html {path}/index.html")
		patterns.line("}")
		patterns.line("redir @%s %s %d", name, caddyQuote(caddyArgs(to)), code(m))
	}
	if exact.body.Len() > 0 {
		h.line("map {path} {lectern_to} {lectern_code} {\n%s}", exact.body.String())
		h.line("@lectern_moved vars {lectern_code} 301 302")
		h.line("redir @lectern_moved {lectern_to} {lectern_code}")
	}
	h.body.WriteString(patterns.body.String())
	h.line("try_files {path} {path}.html")
	h.line("file_server")
	h.line("handle_errors {")
	h.line("\t@lectern_missing expression {err.status_code} == 404")
	h.line("\trewrite @lectern_missing %s", caddyQuote(s.Base+"/404.html"))
	h.line("\tfile_server\n}")
	return h
}

// caddyRefuses returns the reason why a rule cannot be written, or "". Braces denote variables everywhere.
func caddyRefuses(m link.Moved) string {
	if !usable(m) {
		return whyCharacters
	}
	for _, p := range m.Pieces {
		if strings.ContainsAny(p.Literal, "{}") {
			return whyCharacters
		}
	}
	return ""
}

// caddyArgs adds the query of the request to an address that has no query of its own.
func caddyArgs(to string) string {
	body, place, has := strings.Cut(to, "#")
	if !strings.Contains(body, "?") {
		body += "{lectern_query}"
	}
	if has {
		body += "#" + place
	}
	return body
}

func caddyAddress(s string) string { return encode(s, `{}"\$`) }

// caddyQuote returns a quoted argument. Between quotes, a backslash is literal unless a quote follows.
func caddyQuote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
