package maintain

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// isTerm reports whether s consists of words: each begins and ends with a letter or digit, and at least one contains a
// letter. It rejects text that could act as markup when it stands between words.
func isTerm(s string) bool {
	words := strings.Split(s, " ")
	for _, w := range words {
		r := []rune(w)
		bad := func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) &&
				!strings.ContainsRune("-_.+#&'’", r)
		}
		if w != "&" && (len(r) == 0 || !letter(r[0]) ||
			!letter(r[len(r)-1]) && !strings.ContainsRune("+#", r[len(r)-1]) || strings.ContainsFunc(w, bad)) {
			return false
		}
	}
	return words[0] != "&" && words[len(words)-1] != "&" && strings.ContainsFunc(s, unicode.IsLetter)
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// renamer replaces one term with another.
type renamer struct {
	*job
	term term
}

// readable lists the attributes whose values readers see as text.
var readable = []string{"title", "label", "description", "alt", "caption", "tip",
	"headline", "cta", "tag", "header", "placeholder", "tooltip", "content", "subtitle"}

// fields lists the front matter keys whose values readers see as text, in addition to the keys of social cards.
var fields = []string{"title", "sidebarTitle", "description", "keywords", "tag"}

// prose lists the site file keys whose values readers see as text.
var prose = []string{"name", "description", "title", "group", "tab", "anchor", "dropdown", "product",
	"item", "label", "header", "content", "text", "prompt", "placeholder", "tag", "keywords"}

// renameTerm replaces a term in text that readers see: prose, titles, descriptions, labels. Code, addresses, and names
// of components, keys and files are left unchanged. Headings that change get a different id, so references to them are
// updated too.
func (j *job) renameTerm() error {
	r := &renamer{job: j, term: newTerm(j.task.From, j.task.To)}
	before := j.tree.Fork()
	var touched []string
	err := r.each(func(name string, src []byte) error {
		titled, err := r.source(name, src)
		if titled {
			touched = append(touched, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	v, err := j.load()
	if err != nil {
		return err
	}
	if len(j.task.Files) == 0 {
		if err := r.siteFiles(v.files); err != nil {
			return err
		}
	}
	return r.follow(before, v, touched)
}

func (r *renamer) siteFiles(names []string) error {
	files := r.openSite(names)
	for _, f := range files {
		skip := []string{"redirects", "$ref", "$schema", "pages", "root", "page", "href", "url", "icon", "openapi",
			"asyncapi", "integrations"}
		eachText(f.Root, "", skip, func(t *jsontree.Value, key string) {
			if !slices.Contains(prose, key) {
				return
			}
			if text := r.replaced(f.Name, t.Str, func(int) int { return int(t.Line) }); text != t.Str {
				f.replace(t, text)
			}
		})
		r.groups(f, f.Root)
	}
	_, err := r.closeSite(files)
	return err
}

// groups replaces the term in the titles of groups inside page lists. Everything else in page lists is skipped.
func (r *renamer) groups(f *siteFile, v *jsontree.Value) {
	for _, item := range v.Items {
		r.groups(f, item)
	}
	for _, m := range v.Members {
		if m.Key == "pages" {
			for _, item := range m.Value.Items {
				if t := item.Get("group"); t.Is(jsontree.String) {
					if text := r.replaced(f.Name, t.Str, func(int) int { return int(t.Line) }); text != t.Str {
						f.replace(t, text)
					}
				}
			}
		}
		r.groups(f, m.Value)
	}
}

// source renames the term in a page or snippet; titled reports whether a heading changed.
func (r *renamer) source(name string, src []byte) (titled bool, err error) {
	if !r.term.maybe(string(src)) {
		return false, nil
	}
	s, ok := r.parse(name, src)
	if !ok {
		return false, nil
	}
	head := r.head(s)
	var edits []write.Edit
	for _, span := range s.readable() {
		text := string(s.body[span.Start:span.End])
		if strings.Contains(r.term.to, "'") && span.Start > 0 && s.body[span.Start-1] == '\'' {
			continue // it would end the attribute
		}
		for _, e := range r.term.edits(text, r.neighbours(s.body, span)) {
			at := span.Start + e.Span.Start
			r.note(s.name, s.line(at), e, text)
			if e.Text != "" {
				edits = append(edits, write.Edit{Span: ast.Span{Start: at, End: span.Start + e.Span.End}, Text: e.Text})
			}
		}
	}
	if edits = withoutOverlaps(edits); len(edits) == 0 && string(head) == string(s.head) {
		return false, nil
	}
	if body, err := write.Apply(s.body, edits); err != nil {
		return false, err
	} else if _, list := mdx.ParseWith(mdx.Options{}, name, body, 1); list.HasErrors() {
		r.left(name, 0, r.term.from, "the page could not be parsed with the new term")
		return false, nil
	}
	if ok, err := r.apply(s, head, edits); err != nil || !ok {
		return false, err
	}
	return s.heads(edits), nil
}

// note adds an occurrence to the report. An edit without text stands for an occurrence that is left unchanged.
func (r *renamer) note(name string, line int, e write.Edit, text string) {
	was := text[e.Span.Start:e.Span.End]
	if e.Text == "" {
		r.left(name, line, was, "it may be a proper name")
		return
	}
	r.done(name, line, "%s → %s", was, e.Text)
}

// neighbours returns the characters around a span, which may belong to the same word.
func (r *renamer) neighbours(body []byte, s ast.Span) (n around) {
	n.before, n.after = string(body[max(0, s.Start-4):s.Start]), string(body[s.End:min(len(body), s.End+4)])
	return n
}

// replaced returns a text with the new term.
func (r *renamer) replaced(name, text string, line func(int) int) string {
	edits := r.term.edits(text, around{})
	var made []write.Edit
	for _, e := range edits {
		r.note(name, line(e.Span.Start), e, text)
		if e.Text != "" {
			made = append(made, e)
		}
	}
	out, err := write.Apply([]byte(text), made)
	if err != nil {
		return text
	}
	return string(out)
}

// head returns the front matter with the term replaced in values that readers see. If the result cannot be parsed,
// it returns the original.
func (r *renamer) head(s *source) []byte {
	if len(s.head) == 0 || !r.term.maybe(string(s.head)) {
		return s.head
	}
	left, done := len(r.report.Left), len(r.report.Done)
	var out strings.Builder
	known, at := false, 0
	for l := range strings.SplitAfterSeq(string(s.head), "\n") {
		value := 0
		if key, rest, ok := strings.Cut(l, ":"); ok && !strings.HasPrefix(l, " ") && !strings.HasPrefix(l, "-") {
			if tail, og := strings.CutPrefix(rest, "title:"); og { // og:title
				key, rest = key+":title", tail
			} else if tail, og := strings.CutPrefix(rest, "description:"); og {
				key, rest = key+":description", tail
			}
			key = strings.Trim(key, `"' `)
			known = slices.Contains(fields, key) || strings.HasSuffix(key, ":title") ||
				strings.HasSuffix(key, ":description")
			value = len(l) - len(rest)
		}
		if known {
			start := at
			out.WriteString(l[:value] +
				r.replaced(s.name, l[value:], func(int) int { n, _ := diag.Locate(s.head, start); return n }))
		} else {
			out.WriteString(l)
		}
		at += len(l)
	}
	if _, list := frontmatter.Parse(s.name, []byte(out.String()+string(s.body))); list.HasErrors() {
		r.report.Left, r.report.Done = r.report.Left[:left], r.report.Done[:done]
		r.left(s.name, 1, r.term.from, "its front matter could not be parsed with the new term")
		return s.head
	}
	return []byte(out.String())
}
