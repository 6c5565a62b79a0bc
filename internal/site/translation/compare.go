package translation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// maxFindings limits the number of findings about one page.
const maxFindings = 20

const maxShown = 80 // characters of page text in a message

// Compare reports differences between a translation and its source in the parts that must be equal: code, links,
// components, placeholders, headings, front matter keys, and terms in the glossary. It reports nothing for a page that
// is missing or cannot be parsed.
func (t *Set) Compare(s Status) (list diag.List) {
	if s.Page == nil {
		return nil
	}
	languages := []string{s.From, s.Language}
	source, ok := collect(s.Source.File, s.source, targetOf(s.Source.Path, languages, nil))
	page, okay := collect(s.Page.File, s.page, targetOf(s.Page.Path, languages, t.sources[s.Language]))
	if !ok || !okay {
		return nil
	}
	list = append(compareFacts(source, page), compareTerms(t.Terms, s.Language, source, page)...)
	list.Sort()
	return list[:min(len(list), maxFindings)]
}

// compareFacts compares facts of each kind regardless of their order. The order within sentences depends on the
// language.
func compareFacts(source, page contents) (list diag.List) {
	lacks, extra := without(source.facts, page.facts), without(page.facts, source.facts)
	for _, f := range lacks[:min(len(lacks), maxFindings)] { // each search goes through all extra facts
		at := slices.IndexFunc(extra, func(g fact) bool { return g.noun == f.noun })
		if at < 0 {
			list.Warnf(page.at(f.section), f.code, "The translation lacks the %s %q from %s.", f.noun, f.shown(), place(f.pos))
			continue
		}
		g := extra[at]
		extra = slices.Delete(extra, at, at+1)
		got, want := firstDifference(g.text, f.text)
		list.Warnf(g.pos, g.code, "The %s has %q where %s has %q.", g.noun, clip.Runes(got, maxShown), place(f.pos),
			clip.Runes(want, maxShown))
	}
	for _, g := range extra[:min(len(extra), maxFindings)] {
		list.Warnf(g.pos, g.code, "The %s %q is not in %s.", g.noun, g.shown(), source.top.File)
	}
	return list
}

// firstDifference returns the first differing lines of two texts.
func firstDifference(a, b string) (string, string) {
	for {
		one, restA, moreA := strings.Cut(a, "\n")
		two, restB, moreB := strings.Cut(b, "\n")
		if one != two || !moreA && !moreB {
			return one, two
		}
		a, b = restA, restB
	}
}

// without returns the facts in a that are not in b. Each fact in b matches only one fact in a.
func without(a, b []fact) (out []fact) {
	count := map[[2]string]int{}
	for _, f := range b {
		count[[2]string{f.noun, f.text}]++
	}
	for _, f := range a {
		key := [2]string{f.noun, f.text}
		if count[key]--; count[key] < 0 {
			out = append(out, f)
		}
	}
	return out
}

// at returns the start of the section with the given number, or of the last section if there are fewer.
func (c contents) at(section int) diag.Pos {
	if section = min(section, len(c.headings)); section > 0 {
		return c.headings[section-1]
	}
	return c.top
}

func place(p diag.Pos) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

func compareTerms(terms []Term, language string, source, page contents) (list diag.List) {
	var whole strings.Builder
	for _, f := range page.prose {
		whole.WriteString(f.text + "\n")
	}
	text := strings.Join(strings.Fields(whole.String()), " ")
	for _, t := range terms {
		want := t.Translations(language)
		if len(want) == 0 || translatedIn(text, want, t.Keep) {
			continue
		}
		for _, f := range source.prose {
			if t.usedIn(strings.Join(strings.Fields(f.text), " ")) {
				list.Warnf(page.at(f.section), "translation-term", "%s uses the term %q, but the translation does not contain \"%s\".",
					place(f.pos), t.Text, strings.Join(want, `" or "`))
				break
			}
		}
	}
	return list
}
