package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/codespan"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// markdownMax is the maximum number of findings, and of changes of one kind, in a comment: code hosts limit its size.
const markdownMax = 50

// writeMarkdown writes the result as a pull request comment, if requested.
func (c *checkCommand) writeMarkdown(r *run, result checkResult) error {
	if c.Markdown == "" {
		return nil
	}
	text := result.markdown()
	if c.Markdown == "-" {
		_, err := io.WriteString(r.Stdout, text)
		return err
	}
	if err := os.WriteFile(c.Markdown, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write Markdown file: %w", err)
	}
	return nil
}

// markdown returns the result as Markdown. Authors' text is escaped or put in code spans, so that it cannot become
// markup, mention anyone or refer to issues.
func (r *checkResult) markdown() string {
	var b strings.Builder
	errs, warnings := r.counts()
	fmt.Fprintf(&b, "### Docs check: %s, %s\n\n", count(errs, "error"), count(warnings, "warning"))
	if s := r.since; s != nil {
		fmt.Fprintf(&b, "Compared with %s, commit %.10s: %d added, %d removed, %d moved.", codespan.Of(s.ref), s.commit,
			len(s.Added), len(s.Removed), len(s.Moved))
		if s.old > 0 {
			fmt.Fprintf(&b, " %s not shown: the base has them too.", count(s.old, "finding"))
		}
		b.WriteString("\n\n")
	}
	for i, d := range r.findings {
		if i == markdownMax {
			fmt.Fprintf(&b, "- … and %d more\n", len(r.findings)-i)
			break
		}
		writeMarkdownFinding(&b, d)
	}
	if r.since == nil || len(r.since.Added)+len(r.since.Removed)+len(r.since.Moved) == 0 {
		return b.String()
	}
	b.WriteString("\n<details><summary>What changed for readers</summary>\n\n")
	for _, kind := range r.since.changes() {
		for i, line := range kind.lines {
			if i == markdownMax {
				fmt.Fprintf(&b, "- … and %d more %s\n", len(kind.lines)-i, kind.name)
				break
			}
			fmt.Fprintf(&b, "- %s %s\n", kind.name, codespan.Of(line))
		}
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

func writeMarkdownFinding(b *strings.Builder, d diag.Diagnostic) {
	fmt.Fprintf(b, "- **%s** ", d.Severity)
	if d.File != "" {
		b.WriteString(codespan.Of(d.Place()) + " ")
	}
	fmt.Fprintf(b, "%s `%s`\n", escapeMarkdown(d.Message), d.Code)
	if d.Hint != "" {
		fmt.Fprintf(b, "  <br>%s\n", codespan.Of(d.Hint))
	}
}

// counts returns the number of errors and the number of warnings.
func (r *checkResult) counts() (errs, warnings int) {
	for _, d := range r.findings {
		if d.Severity == diag.Error {
			errs++
		}
	}
	return errs, len(r.findings) - errs
}

// escapeMarkdown escapes text so that it is displayed literally. An invisible space after "@" and "#" prevents
// mentions and references on code hosts, and after ":" it prevents links.
func escapeMarkdown(text string) string {
	var b strings.Builder
	for _, c := range strings.Map(blankControl, text) {
		switch {
		case c == '&':
			b.WriteString("&amp;")
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '@' || c == '#' || c == ':':
			b.WriteRune(c)
			b.WriteRune('\u200b')
		case strings.ContainsRune("\\`*_{}[]()!|~$", c):
			b.WriteRune('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func blankControl(c rune) rune {
	if unicode.IsControl(c) {
		return ' '
	}
	return c
}
