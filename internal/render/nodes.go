package render

import (
	"bytes"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// nodes writes the elements whose HTML is ours. Everything else is written by the library, which escapes all text.
type nodes struct{}

// RegisterFuncs is the library's hook for node renderers.
func (nodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, heading)
	r.Register(ast.KindLink, anchor)
	r.Register(ast.KindAutoLink, autoLink)
	r.Register(ast.KindImage, image)
	r.Register(ast.KindFencedCodeBlock, codeBlock)
	r.Register(ast.KindRawHTML, nothing)
	r.Register(ast.KindHTMLBlock, nothing)
}

func nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

func heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	tag := "h" + strconv.Itoa(h.Level)
	if !entering {
		_, err := w.WriteString("</" + tag + ">\n")
		return ast.WalkContinue, err
	}
	id := attribute(n, "id")
	_, err := w.WriteString("<" + tag + ` id="` + html.EscapeString(id) + `"><a class="anchor" href="#` + html.EscapeString(id) + `" aria-label="Link to this section" data-platform></a>`)
	return ast.WalkContinue, err
}

func attribute(n ast.Node, name string) string {
	v, _ := n.AttributeString(name)
	b, _ := v.([]byte)
	return string(b)
}

func anchor(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	l := n.(*ast.Link)
	if !entering {
		_, err := w.WriteString("</a>")
		return ast.WalkContinue, err
	}
	_, err := w.WriteString(`<a href="` + html.EscapeString(string(l.Destination)) + `"` + title(l.Title) + ">")
	return ast.WalkContinue, err
}

func title(t []byte) string {
	if len(t) == 0 {
		return ""
	}
	return ` title="` + html.EscapeString(html.UnescapeString(string(unescapePunctuation(t)))) + `"`
}

func autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	label := html.EscapeString(string(n.(*ast.AutoLink).Label(source)))
	if href := attribute(n, "href"); href != "" {
		label = `<a href="` + html.EscapeString(href) + `">` + label + "</a>"
	}
	_, err := w.WriteString(label)
	return ast.WalkContinue, err
}

func image(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	i := n.(*ast.Image)
	alt := (&build{body: source}).text(i)
	_, err := w.WriteString(`<img src="` + html.EscapeString(string(i.Destination)) + `" alt="` + html.EscapeString(alt) + `"` + title(i.Title) + ` loading="lazy" decoding="async">`)
	return ast.WalkSkipChildren, err
}

// codeBlock writes a fence: its title when it has one, then the text as it stands.
func codeBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	f := n.(*ast.FencedCodeBlock)
	var info []byte
	if f.Info != nil {
		info = f.Info.Segment.Value(source)
	}
	lang, name := fenceInfo(string(info))
	var b bytes.Buffer
	b.WriteString(`<figure class="code">`)
	if name != "" {
		b.WriteString("<figcaption>" + html.EscapeString(name) + "</figcaption>")
	}
	b.WriteString(`<pre tabindex="0"><code`)
	if lang != "" {
		b.WriteString(` class="language-` + html.EscapeString(lang) + `"`)
	}
	b.WriteByte('>')
	for i := range f.Lines().Len() {
		seg := f.Lines().At(i)
		b.Write(util.EscapeHTML(seg.Value(source)))
	}
	b.WriteString("</code></pre></figure>\n")
	_, err := w.Write(b.Bytes())
	return ast.WalkContinue, err
}

// fenceInfo reads "lang title words {1,3} key=value flag": the language and the title.
func fenceInfo(info string) (lang, title string) {
	words := strings.Fields(info)
	if len(words) == 0 {
		return "", ""
	}
	if lang = words[0]; strings.ContainsAny(lang, "{=") {
		lang = ""
	} else {
		words = words[1:]
	}
	var name []string
	for _, w := range words {
		switch {
		case strings.ContainsAny(w, "{}="), w == "lines", w == "wrap", w == "expandable", w == "nocopy", w == "twoslash", w == "focus", w == "highlight":
		default:
			name = append(name, w)
		}
	}
	return lang, html.UnescapeString(strings.Join(name, " "))
}
