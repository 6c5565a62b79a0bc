package apichange

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/codespan"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// headings maps kinds to the headings of their lists.
var headings = map[Kind]string{Added: "Added", Changed: "Changed", Deprecated: "Deprecated", Removed: "Removed"}

// Markdown returns changes as lists for a changelog, or "" if there are none. It escapes text from the description, so
// that the text cannot become markup.
func Markdown(list []Change) string {
	var b strings.Builder
	for _, kind := range []Kind{Added, Changed, Deprecated, Removed} {
		open := false
		var last *openapi.Operation // one item per operation, with the operation's changes below it
		for _, c := range list {
			if c.Kind != kind {
				continue
			}
			if !open {
				fmt.Fprintf(&b, "**%s**\n\n", headings[kind])
				open = true
			}
			if c.Operation != last {
				b.WriteString("- ")
				if c.Text == "" && c.Breaking {
					b.WriteString("**Breaking:** ")
				}
				b.WriteString(codespan.Of(c.Operation.Key()))
				if title := c.Operation.Title(); c.Text == "" && title != "" && title != c.Operation.Key() {
					b.WriteString(": " + escape(title))
				}
				b.WriteByte('\n')
				last = c.Operation
			}
			if c.Text == "" {
				continue
			}
			b.WriteString("  - ")
			if c.Breaking {
				b.WriteString("**Breaking:** ")
			}
			b.WriteString(escape(c.Text) + "\n")
		}
		if open {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// escape escapes a text so that MDX does not treat any of it as markup.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case strings.ContainsRune("<>{}[]*_`\\|~$&#!", r):
			b.WriteByte('\\')
		case r < ' ':
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}
