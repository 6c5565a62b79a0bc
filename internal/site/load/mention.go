package load

import (
	"bytes"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

// mentions finds the files that Markdown, attributes, code and style sheets in the docs folder refer to. It follows the
// snippets and code that the text includes.
type mentions struct {
	src   fs.FS
	whole map[string]bool // pages, site files and API descriptions; a reference does not include their content
	read  map[string]bool // files that have been searched
	// name is called with each possible path relative to the docs folder. alone is true if the text consists only
	// of the path, such as a string in quotes.
	name func(path string, alone bool)
	// odd contains the files that cannot be found as words, keyed by the longest word in their names; nil = none. If an
	// unescaped text may refer to such a file, found is called with both.
	odd   map[string][]string
	found func(text, dir, file string)
}

// namedSnippet matches a snippet that a page includes by its name in the folders of snippets.
var namedSnippet = lazyregexp.New(`<Snippet\s[^>]*\bfile\s*=\s*\{?\s*["'` + "`" + `]([^"'` + "`" + `]+)`)

// maxMentioned limits the size of a searched file, in bytes.
const maxMentioned = 8 << 20

// file searches a file and the files it includes. It ignores files that cannot be read.
func (m *mentions) file(name string) {
	if m.read[name] {
		return
	}
	m.read[name] = true
	if data, err := safefile.Read(m.src, name, maxMentioned); err == nil {
		m.text(data, path.Dir(name))
	}
}

// text searches a text. Relative references in it are relative to the folder dir. A piece between quotes, brackets or
// line breaks may be a path as a whole, or each of its words may be one.
func (m *mentions) text(data []byte, dir string) {
	m.oddNames(data, dir)
	for _, match := range namedSnippet.FindAllSubmatch(data, -1) {
		for _, folder := range []string{"snippets", "_snippets"} {
			if name := path.Join(folder, path.Clean("/"+string(match[1]))); fs.ValidPath(name) {
				m.file(name)
			}
		}
	}
	for _, piece := range bytes.FieldsFunc(data, func(r rune) bool { return strings.ContainsRune("\"'`()[]{}<>|\r\n", r) }) {
		words := bytes.FieldsFunc(piece, func(r rune) bool { return strings.ContainsRune(" \t,;=", r) })
		for _, word := range words {
			m.reference(string(word), dir, len(word) == len(piece))
		}
		if len(words) > 1 {
			m.reference(string(bytes.TrimSpace(piece)), dir, false)
		}
	}
}

// reference calls path with each path that a reference may lead to.
func (m *mentions) reference(ref, dir string, alone bool) {
	if _, rest, ok := strings.Cut(ref, "://"); ok { // it may be a URL on this site
		_, rest, _ = strings.Cut(rest, "/")
		ref = "/" + rest
	}
	ref = strings.ReplaceAll(ref, `\`, "") // Markdown's escape character
	ref = ref[:strings.IndexAny(ref+"#", "?#")]
	if plain, err := url.PathUnescape(ref); err == nil {
		ref = plain
	}
	ref = strings.TrimRight(ref, ".:!*_")
	if ref == "" || len(ref) > 1<<10 {
		return
	}
	rooted := strings.TrimPrefix(path.Clean("/"+ref), "/")
	m.path(rooted, alone)
	if ext := path.Ext(ref); ext == ".mdx" || ext == ".md" { // as in <Snippet file="x.mdx" />
		m.path("snippets/"+rooted, alone)
		m.path("_snippets/"+rooted, alone)
	}
	if !strings.HasPrefix(ref, "/") && dir != "." {
		m.path(strings.TrimPrefix(path.Join("/", dir, ref), "/"), alone)
	}
}

// path calls m.name with a path, and searches the file if it is a snippet or code.
func (m *mentions) path(name string, alone bool) {
	m.name(name, alone)
	switch strings.ToLower(path.Ext(name)) {
	case ".mdx", ".md", ".jsx", ".tsx", ".js", ".ts", ".json":
		if !m.whole[name] && !m.read[name] && fs.ValidPath(name) {
			m.file(name)
		}
	case "": // an import without extension
		for _, ext := range []string{".jsx", ".tsx", ".js", ".ts"} {
			if inSnippets(name) && !m.read[name+ext] && fs.ValidPath(name+ext) {
				m.file(name + ext)
			}
		}
	}
}
