package maintain

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
	"github.com/lectern-docs/lectern/internal/site/changelog"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// addChangelogEntry adds an entry to the site's changelog: a page with Update components, or a Markdown file with a
// heading for each version.
func (j *job) addChangelogEntry() error {
	if j.task.Today.IsZero() {
		return invalid("task", "The date for the changelog entry is not available.")
	}
	name, err := j.changelogFile()
	if err != nil || name == "" {
		return err
	}
	src, ok := j.read(name)
	if !ok {
		return nil
	}
	s, ok := j.parse(name, src)
	if !ok {
		return nil
	}
	e := &entryWriter{source: s, text: escapeText(strings.TrimSpace(j.task.Text)), version: j.task.To, today: j.task.Today}
	edit, same := e.place()
	if same != nil {
		j.done(name, s.line(same.Span.Start), "has this entry already: %s", e.text)
		return nil
	}
	body, err := write.Apply(s.body, []write.Edit{edit})
	if err != nil {
		return fmt.Errorf("change %s: %w", name, err)
	}
	// Check that the new file contains the entry: after an unclosed code block, for example, it would be code.
	after, list := parseSource(name, slices.Concat(s.head, body))
	if !list.HasErrors() {
		check := *e
		check.source = after
		_, same = check.place()
	}
	if same == nil {
		j.left(name, 0, "add a changelog entry", "it is written in a way that cannot be changed automatically")
		return nil
	}
	if ok, err := j.apply(s, s.head, []write.Edit{edit}); err != nil || !ok {
		return err
	}
	j.done(name, s.line(edit.Span.Start), "added: %s", e.text)
	return nil
}

// changelogFile returns the site's changelog. If there is none or more than one, it returns "" and adds an item to the
// report.
func (j *job) changelogFile() (string, error) {
	all, err := load.Sources(j.ctx, j.tree)
	if err != nil {
		return "", err
	}
	if _, err := j.tree.Stat("CHANGELOG.md"); err == nil {
		all = append(all, "CHANGELOG.md")
	}
	if all, err = j.chosen(all); err != nil {
		return "", err
	}
	var pages, files []string
	for _, name := range all {
		base := strings.TrimSuffix(path.Base(name), path.Ext(name))
		switch {
		case !changelogPage.MatchString(base) && len(j.task.Files) == 0:
		case ofRepository(name):
			files = append(files, name)
		default:
			pages = append(pages, name)
		}
	}
	if len(pages) == 0 { // pages for readers take precedence over a file of the repository
		pages = compactNames(files)
	}
	switch len(pages) {
	case 1:
		return pages[0], nil
	case 0:
		j.left("docs.json", 0, "add a changelog entry", "there is no changelog: no page changelog.mdx with <Update> components and no CHANGELOG.md")
	default:
		j.left("docs.json", 0, "add a changelog entry", "there are several changelogs, name one: "+
			strings.Join(pages[:min(maxOffered, len(pages))], ", "))
	}
	return "", nil
}

var changelogPage = lazyregexp.New(`(?i)^(?:change-?log|release-?notes|whats-?new)$`)

func compactNames(list []string) (out []string) {
	for _, n := range list {
		if len(out) == 0 || out[len(out)-1] != n {
			out = append(out, n)
		}
	}
	return out
}

// entryWriter writes an entry in the style of the existing ones.
type entryWriter struct {
	*source
	text, version string
	today         time.Time
}

// dateForms are the date formats that are recognized in a changelog.
var dateForms = []string{time.DateOnly, "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2006/01/02", "2006-01",
	"January 2006", "Jan 2006"}

// dated formats today's date like an example, and reports whether the example is a date.
func (e *entryWriter) dated(example string) (string, bool) {
	for _, form := range dateForms {
		if _, err := time.Parse(form, strings.TrimSpace(example)); err == nil {
			return e.today.Format(form), true
		}
	}
	return e.today.Format(time.DateOnly), false
}

func attr(e *ast.Element, name string) string {
	for _, a := range e.Attrs {
		if a.Name == name && a.Kind == ast.AttrString {
			return a.Value
		}
	}
	return ""
}

// place returns the edit that inserts the entry. If the changelog already contains the entry, same is the existing one.
func (e *entryWriter) place() (edit write.Edit, same *ast.Item) {
	if list := changelog.Updates(e.root); len(list) > 0 {
		return e.update(list)
	}
	return e.section()
}

// update adds the entry to the Update component for its version or for today, or adds a new Update before all others.
// If that Update already contains the entry, same is the existing one.
func (e *entryWriter) update(list []*ast.Element) (edit write.Edit, same *ast.Item) {
	first := list[0]
	label, byDate := e.dated(attr(first, "label"))
	date, _ := e.dated(attr(first, "description"))
	about := ""
	switch {
	case e.version == "":
	case byDate:
		about = e.version
	default:
		label, about = versionLike(e.version, attr(first, "label")), date
	}
	line := e.bullet(first.Children) + e.ended(first.Children)
	for _, u := range list {
		if attr(u, "label") != label || e.version != "" && byDate && attr(u, "description") != about {
			continue
		}
		if same := e.find(u.Children); same != nil {
			return edit, same
		}
		text := string(e.body[u.Start:u.End])
		if at := strings.LastIndex(text, "</Update"); at > 0 {
			if strings.HasSuffix(strings.TrimRight(text[:at], " \t"), "\n") {
				at = len(strings.TrimRight(text[:at], " \t\r\n"))
			} else {
				line += "\n" // the tags are in one line
			}
			return inserted(u.Start+at, "\n"+line), nil
		}
	}
	return inserted(first.Start, changelog.Update(label, about, line)+"\n"), nil
}

func inserted(at int, text string) write.Edit {
	return write.Edit{Span: ast.Span{Start: at, End: at}, Text: text}
}

// versionLike writes a version with a "v" if the example has one.
func versionLike(version, example string) string {
	bare := strings.TrimPrefix(version, "v")
	if strings.HasPrefix(example, "v") {
		return "v" + bare
	}
	if isVersion(example) {
		return bare
	}
	return version
}

var (
	dateInText = lazyregexp.New(`\d{4}-\d{2}-\d{2}`)
	anyVersion = lazyregexp.New(`v?\d+(?:\.\d+)+`)
)

// section adds the entry below the heading of its version, or below the heading for unreleased changes. If the section
// already contains the entry, same is the existing one.
func (e *entryWriter) section() (edit write.Edit, same *ast.Item) {
	parts := e.parts(e.root.Children, 2)
	for _, p := range parts {
		if e.version == "" && !unreleased(p.title) ||
			e.version != "" && strings.TrimPrefix(anyVersion.FindString(p.title), "v") != strings.TrimPrefix(e.version, "v") {
			continue
		}
		if same := e.find(p.nodes); same != nil {
			return edit, same
		}
		return e.inSection(p), nil
	}
	text := "## " + e.newTitle(parts) + "\n\n- " + e.ended(e.root.Children) + "\n"
	switch {
	case len(parts) == 0 || len(parts) == 1 && unreleased(parts[0].title):
		return inserted(len(e.body), "\n"+text), nil
	case unreleased(parts[0].title):
		return inserted(parts[1].head.Start, text+"\n"), nil
	}
	return inserted(parts[0].head.Start, text+"\n"), nil
}

func unreleased(title string) bool { return strings.Contains(strings.ToLower(title), "unreleased") }

// newTitle returns the title of a new section, in the style of the newest version's title, but without its link: the
// link may lead to a comparison with the previous version, and the new target is unknown.
func (e *entryWriter) newTitle(parts []part) string {
	if e.version == "" {
		return "Unreleased"
	}
	today := e.today.Format(time.DateOnly)
	for _, p := range parts {
		if at := anyVersion.FindStringIndex(p.title); at != nil {
			title := p.title[:at[0]] + versionLike(e.version, p.title[at[0]:at[1]]) + p.title[at[1]:]
			return dateInText.ReplaceAllLiteralString(title, today)
		}
	}
	return versionLike(e.version, "1.0") + " - " + today
}

// kinds maps a section's headings to the first words of the entries below them.
var kinds = map[string][]string{
	"added": {"add", "added", "adds", "new"}, "fixed": {"fix", "fixed", "fixes"}, "removed": {"remove", "removed", "removes"},
	"deprecated": {"deprecate", "deprecated"}, "security": {"security"},
}

// inSection adds the entry to the end of the right list: below the heading for its kind, if the section has such
// headings.
func (e *entryWriter) inSection(in part) write.Edit {
	first, _, _ := strings.Cut(strings.ToLower(e.text), " ")
	kind := "changed"
	for name, words := range kinds {
		if slices.Contains(words, first) {
			kind = name
		}
	}
	line := "- " + e.ended(e.root.Children)
	parts := e.parts(in.nodes, 3)
	if len(parts) > 0 {
		at := slices.IndexFunc(parts, func(p part) bool { return strings.EqualFold(strings.TrimSpace(p.title), kind) })
		if at < 0 {
			return inserted(in.end(), "\n\n### "+strings.ToUpper(kind[:1])+kind[1:]+"\n\n"+line)
		}
		in = parts[at]
	}
	if n := len(in.nodes); n > 0 {
		if _, ok := in.nodes[n-1].(*ast.List); ok {
			return inserted(in.end(), "\n"+line)
		}
	}
	return inserted(in.end(), "\n\n"+line)
}

// escapeText escapes an entry for a page, so that it contains no tags or expressions, except in code.
func escapeText(s string) string {
	var b strings.Builder
	code := false
	for _, r := range s {
		if r == '`' {
			code = !code
		}
		if !code && (r == '<' || r == '{') {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
