package hostconfig

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// Folder contains the snippets. No host reads them automatically.
const Folder = "_lectern/hosting"

// lasting is the Cache-Control header for files whose names change with their content.
const lasting = "public, max-age=31536000, immutable"

// fingerprinted is a regular expression for the paths, below the site's root, of files whose names change with their
// content. All engines support its syntax.
const fingerprinted = `_lectern/.+\.[0-9a-f]{8,}\.[a-z0-9]+$`

// Site holds what the rules depend on. The pages of the site are files with the extension .html.
type Site struct {
	Moved []link.Moved
	// folders with their own page, "guides" for guides/index.html: links on such a page are relative to the folder
	Indexes []string
	Base    string   // path of the site on its host, "/docs"; "" at the root
	Lasting []string // folders in which the names of all files change with their content, "_lectern/fonts"
	Script  string   // digest of the inline script in 404.html, as in content security policies, "sha256-…"; "" = none
	Policy  string   // content security policy that permits the author's sources on other hosts; "" = none
}

// File is one file to write.
type File struct {
	Path string
	Data []byte
}

// Files returns all files, in a fixed order.
func Files(s Site) []File {
	s.Base = strings.TrimRight(s.Base, "/")
	sheets := []*sheet{netlify(s), nginx(s), apache(s), caddy(s), vercel(s), firebase(s), azure(s), s3(s)}
	out := []File{
		{".nojekyll", nil}, // otherwise GitHub Pages ignores names that start with an underscore
		{"_headers", headers(s)},
	}
	for _, h := range sheets {
		out = append(out, File{h.path, h.text()})
	}
	return append(out, File{path.Join(Folder, "README.txt"), readme(s, sheets)})
}

// sheet is the file of one host while it is being written.
type sheet struct {
	host  string // its name
	path  string // of the file
	body  strings.Builder
	left  []string // rules that the host does not support, with the reasons
	plain bool     // the format allows comments
}

func (h *sheet) line(format string, args ...any) { fmt.Fprintf(&h.body, format+"\n", args...) }

// leave records that a rule is left out because the host does not support it.
func (h *sheet) leave(m link.Moved, why string) {
	h.left = append(h.left, printable(m.Source)+" -> "+printable(written(m.To))+": "+why)
}

// text returns the file. If the format permits, it ends with the list of rules that were left out.
func (h *sheet) text() []byte {
	if h.plain && len(h.left) > 0 {
		h.line("")
		h.line("# Left out:")
		for _, l := range h.left {
			h.line("# %s", l)
		}
	}
	return []byte(h.body.String())
}

// written returns a destination in approximately the author's notation.
func written(to []link.Text) (out string) {
	for _, part := range to {
		if out += part.Literal; part.Name == "*" {
			out += "*"
		} else if part.Name != "" {
			out += ":" + part.Name
		}
	}
	return out
}

// printable returns s as a single line of limited length.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.ReplaceAll(s, "{$", "{ $") // Caddy would expand a variable, even in a comment
	return clip.Bytes(s, 300)
}

// Reasons why a rule is left out.
const (
	whyCharacters = "it has characters that this host's rules cannot express"
	whyCovers     = "it matches pages of the site, which this host would hide"
	whyWildcards  = "this host does not support such wildcards"
	whyMany       = "this host allows no more rules"
	whyAddress    = "this host cannot redirect to such an address"
)

// Maximum sizes of a rule in bytes. Even with every character escaped, a rule must fit into an nginx argument, which
// has the smallest limit of all hosts.
const (
	longestSource = 500
	longestTo     = 1000
)

// usable reports whether any host can express a rule: the path of a request cannot contain control characters or
// invalid UTF-8.
func usable(m link.Moved) bool {
	if len(m.Source) > longestSource || len(written(m.To)) > longestTo {
		return false
	}
	bad := func(r rune) bool { return unicode.IsControl(r) || strings.ContainsRune("\\\u2028\u2029", r) }
	for _, p := range m.Pieces {
		if !utf8.ValidString(p.Literal) || strings.ContainsFunc(p.Literal, bad) {
			return false
		}
	}
	return true
}

// local reports whether a destination is on the same host, in which case its first literal starts with a slash.
func local(to []link.Text) bool { return strings.HasPrefix(to[0].Literal, "/") }

// fixed returns a destination that does not depend on the source.
func fixed(to []link.Text) (href string, ok bool) {
	if len(to) != 1 || to[0].Name != "" {
		return "", false
	}
	return to[0].Literal, true
}

// code returns the HTTP status of a redirect.
func code(m link.Moved) int {
	if m.Permanent {
		return 301
	}
	return 302
}
