package load

import (
	"bytes"
	"crypto/sha256"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
)

// maxPage limits the source of one page, in bytes. Pages generated from notebooks contain encoded images and reach
// 4 MB.
const maxPage = 8 << 20

// Source is the text of a page, read when the page is rendered.
type Source struct {
	Raw      []byte
	Body     []byte
	BodyLine int
}

// ReadSource reads a page that Load accepted. The list contains errors if the file has become invalid since then. A
// page generated from an API description has no source.
func ReadSource(src fs.FS, p *site.Page) (Source, diag.List) {
	if p.File == "" {
		return Source{BodyLine: 1}, nil
	}
	raw, list := readFile(src, p.File, nil)
	if list != nil {
		return Source{}, list
	}
	cut, list := frontmatter.Cut(p.File, raw) // Load has already decoded the fields
	if list.HasErrors() {
		return Source{}, list
	}
	return Source{Raw: raw, Body: cut.Body, BodyLine: cut.BodyLine}, nil // Load has already reported the warnings
}

// readPage reads a page's front matter into p and stores strings in t.
func readPage(src fs.FS, file string, sum bool, p *site.Page, t *texts) (out readHead) {
	*p = site.Page{Path: slug.Page(file), File: file}
	out.page = p
	raw, list := readFile(src, file, t.source())
	if list != nil {
		out.list = list
		return out
	}
	if sum {
		out.sum = sha256.Sum256(raw)
	}
	cut, list := frontmatter.Parse(file, raw)
	f := cut.Fields
	head(p, f, t)
	if f.Contextual != nil {
		more := p.Details()
		menu, found := docsjson.PageMenu(f.Contextual)
		more.Menu = menu
		p.SetDetails(more)
		list = append(list, found...)
	}
	p.API = apiRef(f)
	if p.Title == "" {
		if title := leadingHeading(cut.Body); title != "" {
			p.Title, p.TitleInBody = t.keep(title), true
		} else if p.API == nil { // otherwise the API description provides the title
			p.Title = t.keep(slug.Words(p.Path))
		}
	}
	out.list = list
	return out
}

// readFile reads a page's source into a reusable buffer, or into new memory if into is nil.
func readFile(src fs.FS, name string, into *bytes.Buffer) (raw []byte, list diag.List) {
	f, err := src.Open(name)
	if err == nil {
		defer func() { _ = f.Close() }() // opened for reading only
		raw, err = readAll(f, into)
	}
	switch {
	case err != nil:
		list.Errorf(diag.Pos{File: name}, "page-unreadable", "The page cannot be read.")
	case len(raw) > maxPage:
		list.Errorf(diag.Pos{File: name}, "page-size", "The page is larger than %d MB.", maxPage>>20)
	case !utf8.Valid(raw):
		line, column := diag.Locate(raw, invalidAt(raw))
		list.Errorf(diag.Pos{File: name, Line: line, Column: column}, "page-encoding", "The page is not UTF-8 text.")
	}
	return raw, list
}

// readAll reads at most one byte more than the maximum size of a page. If into is nil, it uses a new buffer of the
// file's size.
func readAll(f fs.File, into *bytes.Buffer) ([]byte, error) {
	if into == nil {
		size := 0
		if info, err := f.Stat(); err == nil {
			size = int(min(max(info.Size(), 0), maxPage))
		}
		into = &bytes.Buffer{}
		into.Grow(size + bytes.MinRead) // room for the last read, so that it does not grow the buffer
	}
	_, err := into.ReadFrom(io.LimitReader(f, maxPage+1))
	return into.Bytes(), err
}

func invalidAt(raw []byte) int {
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(raw)
}

// leadingHeading returns the text of a "# heading" at the start of the body, or "".
func leadingHeading(body []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(body, " \t\r\n"), []byte{'\n'})
	if !bytes.HasPrefix(line, []byte("# ")) {
		return ""
	}
	root, _ := mdx.Parse("", line, 1) // errors are reported when the page is rendered
	if len(root.Children) == 1 {
		if h, ok := root.Children[0].(*ast.Heading); ok {
			return strings.Join(strings.Fields(ast.PlainText(h.Children)), " ")
		}
	}
	return ""
}
