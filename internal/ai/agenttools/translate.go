package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/translation"
)

const maxTranslations = 500 // per result

func translationStatusTool() tool {
	return tool{Tool: Tool{Name: "translation_status",
		Description: "Lists the translations that are missing, that are behind their source (stale), or that do not say what " +
			"they were made from (unmarked), and the glossary. Start here to translate; others are current: leave them.",
		Input: schema(nil, map[string]property{"language": {"string", "Only this language, as docs.json names it."}})},
		run: (*Toolset).translationStatus}
}

func (d *Toolset) translationStatus(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Language string `json:"language"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	set, err := translation.Load(ctx, d.Tree)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	current, open := 0, 0
	for _, s := range set.List {
		switch {
		case in.Language != "" && !strings.EqualFold(in.Language, s.Language):
		case s.State == translation.Current:
			current++
		default:
			if open++; open <= maxTranslations {
				fmt.Fprintf(&b, "%s %s: translation of %s into %s\n", s.State, fileOf(s), s.Source.File, s.Language)
			}
		}
	}
	if current+open == 0 {
		return "", refuse("The site has no such language. Languages are those of navigation.languages in docs.json, besides the default one.")
	}
	if open > maxTranslations {
		fmt.Fprintf(&b, "… and %d more\n", open-maxTranslations)
	}
	writeTerms(&b, set.Terms, in.Language)
	return fmt.Sprintf("%d are current, %d are not.\n%s", current, open, guard.Untrusted("translations", guard.Visible(b.String()))), nil
}

// writeTerms lists the glossary; language may be "".
func writeTerms(b *strings.Builder, terms []translation.Term, language string) {
	if len(terms) > 0 {
		b.WriteString("Glossary:\n")
	}
	for _, t := range terms {
		switch words := t.Translations(language); {
		case t.Keep:
			fmt.Fprintf(b, "%s: do not translate\n", t.Text)
		case len(words) > 0:
			fmt.Fprintf(b, "%s: %s\n", t.Text, strings.Join(words, " or "))
		case language == "":
			for _, l := range slices.Sorted(maps.Keys(t.In)) {
				fmt.Fprintf(b, "%s (%s): %s\n", t.Text, l, strings.Join(t.In[l], " or "))
			}
		}
	}
}

// fileOf returns a translation's file, or the expected path of a missing one.
func fileOf(s translation.Status) string {
	if s.Page != nil {
		return s.Page.File
	}
	return s.Path + path.Ext(s.Source.File)
}

func translateTool() tool {
	return tool{Tool: Tool{Name: "translate", Changes: true,
		Description: "Writes the translation of a page to the file that belongs to it, records which state of the source it was " +
			"made from, and compares the two. Copy code, link targets, component tags and attribute names, placeholders, heading " +
			"ids and front matter keys exactly; translate texts only; links may lead to translated pages. Of a stale translation, " +
			"keep what is still right. A new page also needs a place in the navigation of its language.",
		Input: schema([]string{"source", "language"}, map[string]property{
			"source":   {"string", "File of the page in the default language, as in translation_status."},
			"language": {"string", "Language as docs.json names it."},
			"text": {"string", "The whole translated page with its front matter. Omit it if you have brought the page up to date " +
				"with edit: then it is only recorded."}})}, run: (*Toolset).translate}
}

func (d *Toolset) translate(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Source   string `json:"source" required:"true"`
		Language string `json:"language" required:"true"`
		Text     string `json:"text"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	s, _, err := d.findTranslation(ctx, in.Source, in.Language)
	if err != nil {
		return "", err
	}
	file, data := fileOf(s), []byte(in.Text)
	if in.Text == "" {
		if data, err = fs.ReadFile(d.Tree, file); err != nil {
			return "", refuse("text is required: there is no %s yet.", file)
		}
	}
	marked, err := translation.SetMark(data, s.Mark)
	if err != nil {
		return "", refuse("The front matter of the page cannot be read.")
	}
	if err := d.put(file, marked); err != nil {
		return "", err
	}
	if d.marks == nil {
		d.marks = map[string]bool{}
	}
	d.marks[s.Mark] = true
	s, set, err := d.findTranslation(ctx, in.Source, in.Language)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("Wrote %s and recorded its source.", file)
	if found := set.Compare(s); len(found) > 0 {
		text += " It differs from the source:\n" + guard.Untrusted("findings", guard.Visible(shown(found)))
	}
	if s.Page != nil && !s.Page.Listed {
		text += fmt.Sprintf("\nThe navigation of docs.json does not list %s yet.", s.Path)
	}
	return text, nil
}

// findTranslation finds a translation by its source and language.
func (d *Toolset) findTranslation(ctx context.Context, source, language string) (translation.Status, *translation.Set, error) {
	set, err := translation.Load(ctx, d.Tree)
	if err != nil {
		return translation.Status{}, nil, err
	}
	source = plainPath(source)
	i := slices.IndexFunc(set.List, func(s translation.Status) bool {
		return strings.EqualFold(s.Language, language) && (s.Source.File == source || s.Source.Path == source)
	})
	if i < 0 {
		return translation.Status{}, nil, refuse("There is no page %s to translate into %s. See translation_status.", source, language)
	}
	return set.List[i], set, nil
}

// CheckTranslations compares the changed translations with their sources. For a page that does not claim to be
// current, only findings caused by the changes are reported.
func (d *Toolset) CheckTranslations(ctx context.Context) (diag.List, error) {
	changes, err := d.Tree.Changes()
	if err != nil {
		return nil, err
	}
	changed := map[string]bool{}
	for _, c := range changes {
		changed[c.Path] = c.After != nil
	}
	now, err := translation.Load(ctx, d.Tree)
	if err != nil || len(now.List) == 0 {
		return nil, err
	}
	base, err := translation.Load(ctx, d.Base)
	if err != nil {
		return nil, err
	}
	before, marks := map[string]translation.Status{}, map[string]bool{"": true}
	for _, s := range base.List {
		if s.Page != nil {
			before[s.Page.File], marks[s.Claim()] = s, true
		}
	}
	var out diag.List
	for _, s := range now.List {
		if s.Page == nil || !changed[s.Page.File] {
			continue
		}
		if claim := s.Claim(); !marks[claim] && !d.marks[claim] {
			out.Warnf(diag.Pos{File: s.Page.File, Line: 1, Column: 1}, "translation-stale",
				"The page has a %s that was not written by translate.", translation.Key)
			out.Hint("Remove the line, and call translate.")
		}
		found := now.Compare(s)
		if old, ok := before[s.Page.File]; ok && s.State != translation.Current {
			found = since(base.Compare(old), found)
		}
		out = append(out, found...)
	}
	return out, nil
}

// since returns the findings whose code occurs more often than before. It does not compare messages, because they
// contain line numbers of the sources, which change.
func since(before, now diag.List) (out diag.List) {
	more := map[string]int{}
	for _, f := range now {
		more[f.Code]++
	}
	for _, f := range before {
		more[f.Code]--
	}
	for _, f := range now {
		if more[f.Code] > 0 {
			out = append(out, f)
		}
	}
	return out
}
