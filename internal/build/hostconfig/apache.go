package hostconfig

import (
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// apache writes directives for the bundle's folder. The file is not named .htaccess: if a server does not permit these
// directives in .htaccess files, such a file would make the whole site fail.
func apache(s Site) *sheet {
	h := &sheet{host: "Apache HTTP Server", path: path.Join(Folder, "apache.conf"), plain: true}
	h.line(
		"# Rules for Apache. Copy this file to the folder of the site as .htaccess, or include it in the server's configuration:")
	h.line(`#     <Directory "/srv/docs"> Include "/srv/docs/%s/apache.conf" </Directory>, on lines of their own`,
		Folder)
	h.line(
		"# It needs mod_rewrite, mod_dir, and mod_headers for long caching. The rules apply to a site at %s/ of its host.", s.Base)
	h.line("DirectoryIndex index.html")
	h.line("ErrorDocument 404 %s", apacheQuote(escapePath(s.Base)+"/404.html"))
	h.line("AddType text/markdown .md")
	h.line("AddCharset utf-8 .html .md .txt .xml .js .css .json")
	h.line("<IfModule mod_headers.c>")
	h.line(`    Header set Cache-Control "%s" "expr=%%{REQUEST_URI} =~ m#/%s#"`, lasting, fingerprinted)
	h.line("</IfModule>")
	h.line("RewriteEngine On")
	patterns := &sheet{}
	for _, m := range s.Moved {
		if !usable(m) {
			h.leave(m, whyCharacters)
			continue
		}
		if at, ok := m.Exact(); ok {
			to := destination(m.To, s.Base, nil, apacheText, nil)
			h.rewrite(m, "", decoded.literal(strings.TrimPrefix(at, "/"))+"/?$", to)
			continue
		}
		re, groups, ok := sent.pattern(m, s.Base)
		if !ok {
			h.leave(m, whyWildcards)
			continue
		}
		to := destination(m.To, s.Base, groups, apacheText, func(n int) string { return "%" + string(rune('0'+n)) })
		patterns.rewrite(m, `^\S+ `+re+`/?[? ]`, "", to)
	}
	h.line("# Existing files are served; /guides/start is guides/start.html.")
	h.line("RewriteCond %%{REQUEST_FILENAME} -f [OR]")
	h.line("RewriteCond %%{REQUEST_FILENAME}/index.html -f")
	h.line("RewriteRule ^ - [END]")
	h.line(`RewriteCond %%{PATH_INFO} ""`)
	h.line("RewriteCond %%{REQUEST_FILENAME}.html -f")
	h.line(`RewriteRule "^(.*[^/])$" "$1.html" [END]`)
	h.body.WriteString(patterns.body.String())
	return h
}

// rewrite writes a rule. request is an expression for the request line, whose groups are %1 and so on. here is an
// expression for the path below the folder.
func (h *sheet) rewrite(m link.Moved, request, here, to string) {
	rule := func(to, flags string) {
		if request != "" {
			h.line(`RewriteCond "%%{THE_REQUEST}" %s`, apacheQuote(request))
		}
		h.line("RewriteRule %s %s [R=%d,NE,%sEND]", apacheQuote("^"+here), apacheQuote(to), code(m), flags)
	}
	body, place, has := strings.Cut(to, "#")
	if has && !strings.Contains(body, "?") { // otherwise the query would be appended after the anchor
		h.line(`RewriteCond "%%{QUERY_STRING}" "."`)
		rule(body+"?%{QUERY_STRING}#"+place, "")
		rule(to, "QSD,")
		return
	}
	rule(to, "")
}

// apacheText escapes literal text for a substitution, in which % and $ refer to groups.
func apacheText(s string) string {
	return apacheEscapes.Replace(encode(s, `"`))
}

var apacheEscapes = strings.NewReplacer(`\`, `%5C`, `%`, `\%`, `$`, `\$`)

// apacheQuote returns a quoted argument of a rewrite rule. Between the quotes there are no escapes, and a quote
// ends the argument.
func apacheQuote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\x22`) + `"` }
