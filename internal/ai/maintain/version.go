package maintain

import (
	"path"
	"sort"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// version matches ["v"] number { "." number } [ ("-" | "+" | letter) more ]; a version must contain a dot or start with
// "v".
var version = lazyregexp.New(`^[vV]?[0-9]{1,9}(\.[0-9A-Za-z]{1,20})*([-+][0-9A-Za-z.+-]{1,60})?$`)

func isVersion(s string) bool {
	return version.MatchString(s) && (strings.Contains(s, ".") || s[0]|0x20 == 'v') && isWord(s[len(s)-1])
}

// bumper replaces one version with another.
type bumper struct {
	*job
	from, to string // without a "v" that both have, if they are still versions without it
	files    map[string]bool
}

// bumpVersion replaces a version in pages, snippets and the texts of the site file, including code and addresses,
// because readers copy versions from there. It skips changelogs and statements such as "since 1.2" or "until 1.2".
func (j *job) bumpVersion() error {
	b := &bumper{job: j, from: j.task.From, to: j.task.To, files: map[string]bool{}}
	// v1.2 without its v could be any number
	if lead := b.from[0] | 0x20; lead == 'v' && b.to[0]|0x20 == 'v' && strings.Count(b.from, ".") > 1 {
		b.from, b.to = b.from[1:], b.to[1:]
	}
	if err := b.each(b.source); err != nil {
		return err
	}
	if len(j.task.Files) > 0 {
		return nil
	}
	v, err := j.load()
	if err != nil {
		return err
	}
	files := j.openSite(v.files)
	for _, f := range files {
		skip := []string{"redirects", "$ref", "$schema", "pages", "root", "page", "openapi", "asyncapi", "icon",
			"versions", "directory"}
		eachText(f.Root, "", skip, func(t *jsontree.Value, _ string) {
			if text, n := b.replaced(f.Name, t.Str, func(int) int { return int(t.Line) }); n > 0 {
				f.replace(t, text)
			}
		})
	}
	_, err = j.closeSite(files)
	return err
}

// source replaces the version in a page or snippet.
func (b *bumper) source(name string, src []byte) error {
	if !strings.Contains(string(src), b.from) {
		return nil
	}
	s, ok := b.parse(name, src)
	if !ok {
		return nil
	}
	if own, _ := b.find(name, 0); own >= 0 || isChangelog(name) || s.fields.RSS {
		if at, _ := b.find(string(src), 0); at >= 0 {
			line, _ := diag.Locate(src, at)
			b.left(name, line, b.from, "the page is about this version or about past versions")
		}
		return nil
	}
	past := s.updates()
	var edits []write.Edit
	body := string(s.body)
	for at := 0; ; {
		i, end := b.find(body, at)
		if i < 0 {
			break
		}
		at = end
		switch why := b.refuses(name, body, i, end); {
		case within(past, i):
			b.left(name, s.line(i), b.from, "changelog entries describe the past")
		case why != "":
			b.left(name, s.line(i), b.from, why)
		default:
			edits = append(edits, write.Edit{Span: ast.Span{Start: i, End: end}, Text: b.to})
			b.done(name, s.line(i), "%s → %s", b.from, b.to)
		}
	}
	head, n := b.replaced(name, string(s.head), func(at int) int { line, _ := diag.Locate(s.head, at); return line })
	if len(edits) == 0 && n == 0 {
		return nil
	}
	_, err := b.apply(s, []byte(head), edits)
	return err
}

// replaced returns a text with the new version, and how often it changed.
func (b *bumper) replaced(name, text string, line func(int) int) (string, int) {
	var out strings.Builder
	n, at, kept := 0, 0, 0
	for {
		i, end := b.find(text, at)
		if i < 0 {
			return out.String() + text[kept:], n
		}
		at = end
		if why := b.refuses(name, text, i, end); why != "" {
			b.left(name, line(i), b.from, why)
			continue
		}
		out.WriteString(text[kept:i] + b.to)
		b.done(name, line(i), "%s → %s", b.from, b.to)
		kept = end
		n++
	}
}

// changelogNames matches the names of pages and folders that are changelogs.
var changelogNames = lazyregexp.New(
	`(?i)^(change-?logs?|changes|release-?notes?|releases|history|what-?s-?new|updates|news|migration.*|upgrad.*)$`)

func isChangelog(file string) bool {
	for _, part := range strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/") {
		if changelogNames.MatchString(part) {
			return true
		}
	}
	return false
}

// updates returns the spans of changelog entries within a page.
func (s *source) updates() (out []ast.Span) {
	ast.Walk(s.root.Children, func(n ast.Node) bool {
		if e, ok := n.(*ast.Element); ok && e.Name == "Update" {
			out = append(out, e.Span)
			return false
		}
		return true
	})
	return out
}

// within reports whether a position is in one of the spans, which are in order.
func within(spans []ast.Span, at int) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End > at })
	return i < len(spans) && spans[i].Start <= at
}
