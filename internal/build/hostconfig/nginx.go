package hostconfig

import (
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// nginx writes directives for a server block whose root is the folder of the bundle.
func nginx(s Site) *sheet {
	h := &sheet{host: "nginx", path: path.Join(Folder, "nginx.conf"), plain: true}
	h.line("# Rules for nginx. Include this file in the server block that has the site:")
	h.line("#     server { root /srv/docs; include /srv/docs/%s/nginx.conf; }", Folder)
	h.line("# They apply to a site at %s/ of its host.", s.Base)
	h.line("error_page 404 %s;", nginxQuote(s.Base+"/404.html"))
	h.line("location ~ %s { add_header Cache-Control %s; }", nginxQuote("^"+decoded.literal(s.Base+"/")+fingerprinted),
		nginxQuote(lasting))
	h.line(`location ~ %s { types { } default_type "text/markdown; charset=utf-8"; }`,
		nginxQuote("^"+decoded.literal(s.Base+"/")+`.+\.md$`))
	h.line("location %s { try_files $uri $uri.html @lectern; }", nginxQuote(s.Base+"/"))
	patterns := &sheet{}
	for _, m := range s.Moved {
		if !usable(m) {
			h.leave(m, whyCharacters)
			continue
		}
		if at, ok := m.Exact(); ok {
			to := destination(m.To, s.Base, nil, nginxAddress, nil)
			for _, end := range []string{"", "/"} {
				h.line("location = %s { absolute_redirect off; return %d %s; }", nginxQuote(s.Base+at+end), code(m),
					nginxQuote(withArgs(to)))
			}
			continue
		}
		re, groups, ok := decoded.pattern(m, s.Base)
		if !ok {
			h.leave(m, whyWildcards)
			continue
		}
		to := destination(m.To, s.Base, groups, nginxAddress, func(n int) string { return "$" + string(rune('0'+n)) })
		if rewritten(m) {
			to = withArgs(to) + "?"
		}
		kind := map[bool]string{true: "permanent", false: "redirect"}[m.Permanent]
		patterns.line("    rewrite %s %s %s;", nginxQuote("^"+re+"/?$"), nginxQuote(to), kind)
	}
	h.line("location @lectern {")
	h.line("    absolute_redirect off;")
	h.line("    # The page of a folder: its links start inside of it.")
	h.line(`    if (-f "$document_root$uri/index.html") {`)
	h.line(`        rewrite "^(.*)/$" "$1/index.html" break;`)
	h.line(`        rewrite "^(.*)$" "$1/" permanent;`)
	h.line("    }")
	h.body.WriteString(patterns.body.String())
	h.line("    return 404;")
	h.line("}")
	return h
}

// rewritten reports whether a destination has its own query or anchor, so that the request's query cannot simply be
// appended.
func rewritten(m link.Moved) bool {
	for _, part := range m.To {
		if strings.ContainsAny(part.Literal, "?#") {
			return true
		}
	}
	return false
}

// withArgs adds the query of the request to an address that has no query of its own.
func withArgs(to string) string {
	body, place, has := strings.Cut(to, "#")
	if !strings.Contains(body, "?") {
		body += "$is_args$args"
	}
	if has {
		body += "#" + place
	}
	return body
}

// nginxAddress escapes literal text of an address. A dollar sign would start a variable and cannot be escaped, so it is
// percent-encoded.
func nginxAddress(s string) string { return encode(s, `$"\`) }

// nginxQuote returns a quoted argument.
func nginxQuote(s string) string {
	return `"` + nginxEscapes.Replace(s) + `"`
}

var nginxEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
