package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// collapsedLines is the number of lines that an expandable block shows initially. A block that is only slightly
// longer gets no button.
const collapsedLines = 14

// WriteCode writes a block of code. Inside a CodeGroup, it becomes one of the panels.
func WriteCode(w *Writer, b CodeBlock) {
	if strings.EqualFold(b.Lang, "mermaid") {
		w.diagram(b)
		return
	}
	if g := w.parent("CodeGroup"); g != nil {
		w.codePanel(g, b)
		return
	}
	w.codeFigure(b)
}

// diagram writes the source of a diagram. A script replaces it with the drawing; without a script, readers see the
// source.
func (w *Writer) diagram(b CodeBlock) {
	w.Mermaid = true
	w.Raw(`<figure class="mermaid" data-component-name="mermaid-container"`)
	w.AttrIf("data-actions", b.Actions)
	switch b.Placement {
	case "top-left", "top-right", "bottom-left", "bottom-right":
		w.Attr("data-placement", b.Placement)
	}
	if room := sequenceRoom(b.Text); room != "" {
		w.Attr("style", "--room: "+room)
	}
	w.Raw(`><pre tabindex="0">`)
	w.firstBreak(b.Text)
	w.Text(b.Text)
	w.Raw(`</pre></figure>`)
}

// firstBreak keeps a line break at the start of a <pre>, which HTML parsers would drop.
func (w *Writer) firstBreak(text string) {
	if strings.HasPrefix(text, "\n") {
		w.Raw("\n")
	}
}

func (w *Writer) codeFigure(b CodeBlock) {
	text, lines := codeText(&b)
	long := b.Expandable && len(lines) > collapsedLines+3
	w.Raw(`<figure`)
	w.Attr("class", codeClass(&b, lines, long))
	w.Flag("data-nocopy", b.NoCopy)
	w.Raw(`>`)
	if !b.Bare && (b.Title != "" || b.Icon != "") {
		w.codeHead(&b)
	}
	w.Raw(`<pre class="shiki" tabindex="0"`)
	if b.Title != "" {
		w.Raw(` role="group"`)
		w.Attr("aria-label", b.Title)
	}
	w.Raw(`><code`)
	w.Attr("class", "language-"+languageClass(b.Lang))
	w.Raw(`>`)
	w.codeLines(b.Lang, text, lines)
	w.Raw(`</code></pre>`)
	if long {
		w.Raw(
			`<button type="button" class="code-more" aria-expanded="false" data-platform><span class="code-open">Show all </span>`)
		w.Raw(`<span class="code-close">Show less</span><span class="code-open">`)
		w.Text(ast.Number(float64(len(lines))))
		w.Raw(` lines</span></button>`)
	}
	w.Raw(`</figure>`)
}

func codeClass(b *CodeBlock, lines []marks, long bool) string {
	var all marks
	for _, m := range lines {
		all |= m
	}
	class := "code code-block"
	for _, c := range []struct {
		on   bool
		name string
	}{
		{b.Lines, " code-numbered"}, {b.Wrap, " code-wrap"}, {long, " code-long"}, {all&focused != 0, " code-focused"},
		{all&(added|removed) != 0, " code-diff"},
	} {
		if c.on {
			class += c.name
		}
	}
	return class
}

func (w *Writer) codeHead(b *CodeBlock) {
	w.Raw(`<figcaption class="code-head" data-component-part="code-block-header">`)
	w.codeLabel(b, b.Title)
	w.Raw(`</figcaption>`)
}

// codeLabel writes the icon and the title. It omits an unknown icon.
func (w *Writer) codeLabel(b *CodeBlock, title string) {
	if b.Icon != "" && w.Icons != nil {
		before := w.Len()
		w.Raw(`<span class="icon code-icon code-block-icon">`)
		if isFile(b.Icon) && w.iconFile(b.Icon, b.At) || !isFile(b.Icon) && w.Icons.WriteIcon(w.Buffer, b.Icon, "") {
			w.Raw(`</span>`)
		} else {
			w.Truncate(before)
		}
	}
	w.Raw(`<span class="code-title">`)
	w.Text(title)
	w.Raw(`</span>`)
}

// codeLines writes one span for each line with line breaks between them, so that the text content equals the code.
func (w *Writer) codeLines(lang, text string, lines []marks) {
	html := w.coloured(lang, text)
	w.Grow(len(text) + len(text)/2 + 32*len(html))
	for i, line := range html {
		if i > 0 {
			w.Raw("\n")
		}
		if i < len(lines) && lines[i] != 0 {
			w.Raw(`<span`)
			w.Attr("class", lineClass(lines[i]))
			w.Raw(`>`)
		} else {
			w.Raw(`<span class="line">`)
		}
		w.Trusted(line)
		w.Raw(`</span>`)
	}
}

func lineClass(m marks) string {
	class := "line"
	for _, c := range [...]struct {
		bit  marks
		name string
	}{{marked, " line-mark"}, {focused, " line-focus"}, {added, " line-add"}, {removed, " line-remove"},
		{failing, " line-error"}, {warning, " line-warning"}} {
		if m&c.bit != 0 {
			class += c.name
		}
	}
	return class
}

// coloured returns the lines of the code as highlighted HTML.
func (w *Writer) coloured(lang, text string) [][]byte {
	if w.Highlight != nil {
		lines, _ := w.Highlight.Lines(lang, text)
		return lines
	}
	var lines [][]byte
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, w.capture(func() { w.Text(line) }))
	}
	return lines
}

// languageClass returns a language's name as part of a class: lower-case letters, digits and the punctuation that
// occurs in names of languages.
func languageClass(lang string) string {
	name := strings.ToLower(lang)
	if name == "" || len(name) > 30 {
		return "text"
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("+#-_.", rune(c)) {
			return "text"
		}
	}
	return name
}
