package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/jsx"
)

// angle reads a tag. It also recognizes constructs in angle brackets that exist in HTML and Markdown but not in this
// dialect.
func (in *inline) angle() bool {
	p, s, at := in.p, in.t.s, in.at
	if at+1 < len(s) && !jsx.Opens(s, at) || p.budget <= 0 {
		return false
	}
	if strings.HasPrefix(s[at:], "<!") {
		if end := p.comment(&in.t, at); end > 0 {
			p.warnComment(in.t.place(at))
			in.put(token{kind: tokNothing}, end)
			return true
		}
		p.spend(len(s) - at)
	}
	tag, err := jsx.Scan(&in.t, at)
	if err == nil {
		in.put(token{kind: tokTag, node: p.token(&in.t, &tag)}, tag.End)
		return true
	}
	p.spend(err.At - at)
	if in.angleAddress() {
		return true
	}
	in.badTag(&tag, err)
	return false
}

// badTag reports a tag that cannot be parsed. A tag without attribute values is most likely meant as text.
func (in *inline) badTag(tag *jsx.Tag, err *jsx.Error) {
	p, at := in.p, in.t.place(in.at)
	broken := brokenTag{in.t.place(err.At), err}
	if first, ok := p.broken[at]; ok {
		broken = first // block parsing has already read it with all its lines
	}
	sure := broken.err.Sure
	for _, a := range tag.Attrs {
		sure = sure || a.Kind != ast.AttrTrue
	}
	if !sure {
		p.warn(at, "mdx-lenient-less-than", `To show the character itself, write \< or &lt;.`,
			"This < does not start a tag and is shown as text: %s.", err.Message)
		return
	}
	hint := broken.err.Hint
	if hint == "" {
		hint = `End the tag with > or />, or write \< to show the character itself`
	}
	p.fail(broken.at, "mdx-tag-syntax", hint+".", "%s, in the tag that starts at %s.", broken.err.Message, p.where(at))
}

func (p *parser) warnComment(at int) {
	p.warn(at, "mdx-lenient-html-comment", "Write {/* … */} instead.",
		"MDX has no HTML comments or doctypes; this one is ignored.")
}

// angleAddress reads <https://…> and <name@host>.
func (in *inline) angleAddress() bool {
	s := in.t.s[in.at+1:]
	end := strings.IndexAny(s, "<> \t\n")
	if end <= 0 || s[end] != '>' {
		return false
	}
	s = s[:end]
	url := s
	scheme := strings.IndexByte(s, ':')
	switch {
	case scheme >= 2 && scheme <= 32 && isScheme(s[:scheme]):
	case isEmail(s):
		url = "mailto:" + s
	default:
		return false
	}
	span := in.t.span(in.at+1, in.at+1+end)
	in.p.warn(in.t.place(in.at), "mdx-lenient-autolink", "Write [text]("+url+") or the address without brackets.",
		"MDX has no addresses in angle brackets; this one is shown as a link.")
	in.put(token{kind: tokNode, node: &ast.Link{
		Span: ast.Span{Start: span.Start - 1, End: span.End + 1}, URL: url,
		Children: ast.Children{&ast.Text{Span: span, Value: s}},
	}}, in.at+end+2)
	return true
}

func isScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isAlpha(s[i]) && (i == 0 || !isDigit(s[i]) && s[i] != '+' && s[i] != '.' && s[i] != '-') {
			return false
		}
	}
	return true
}

func isEmail(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	if !ok || name == "" || strings.IndexByte(host, '.') < 0 {
		return false
	}
	for i := 0; i < len(name); i++ {
		if !isAlnum(name[i]) && strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", name[i]) < 0 {
			return false
		}
	}
	for _, part := range strings.Split(host, ".") {
		if part == "" || len(part) > 63 ||
			strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
			return false
		}
	}
	return true
}

// brace reads an expression. A brace that is never closed is text.
func (in *inline) brace() bool {
	p := in.p
	if p.budget <= 0 {
		return false
	}
	value, end, err := jsx.Expression(&in.t, in.at)
	if err != nil {
		p.spend(err.At - in.at)
		p.warn(in.t.place(in.at), "mdx-lenient-brace", `To show the brace itself, write \{.`,
			"This { does not start an expression and is shown as text: %s.", err.Message)
		return false
	}
	in.put(token{kind: tokNode, node: &ast.Expr{Span: in.t.span(in.at, end), Source: value}}, end)
	return true
}
