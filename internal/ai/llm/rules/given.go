package rules

import (
	"regexp"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Requests that contain the new text: a description, or an alt text.
const (
	aDescription = `(?:(?:the|a|this|its|following|new|meta|page|seo|search) )*description`
	anAltText    = `(?:(?:the|a|this|its|following|new) )*alt(?:ernative)?(?:[- ]?texts?| attribute| tag)?`
	anImage      = `(?:(?:the|our) )?(?:(?:image|picture|screenshot|figure) )?` + "[`\"']?" + `([\w./~-]+\.(?:png|jpe?g|gif|svg|webp|avif))` + "[`\"']?" +
		`(?: (?:image|picture))?`
	giving  = `(?:set|add|use|write|change|make|update|put|give|insert|replace)`
	newText = `(?: (?:should|must|shall|has to|needs to) (?:be|read|say)| (?:to|as|with|is|reading|saying))?:? `
	quoted  = `(` + quotes + `)`
	// free captures a text after a colon, with or without quotation marks, or a text in quotation marks.
	free = `(?:` + newText + quoted + `|(?: (?:should|must|shall) (?:be|read|say)| (?:to|as|reading|saying))?: (.+))`
	lack = ` (?:has no|lacks|is missing|is lacking|needs|is without|does not have|doesn't have)(?: a| an| the| its| any)? `
)

// givenForm is a wording, with the numbers of its groups for the page, the image and the text; 0 means that there is no
// such group.
type givenForm struct {
	form        *regexp.Regexp
	kind        maintain.Kind
	page, image int
}

// givenForms are compiled when a sentence first needs them. The text is in one of the last two groups; the other is
// empty.
var givenForms = sync.OnceValue(func() []givenForm {
	on := ` (?:on|in|of|at|from) (` + onePage + `)`
	return []givenForm{
		{form(giving + ` ` + aDescription + ` (?:of|for|on|to|in) (` + onePage + `)` + free), maintain.Descriptions, 1, 0},
		{form(aDescription + ` (?:of|for|on|in) (` + onePage + `)` + free), maintain.Descriptions, 1, 0},
		{form(`give (` + onePage + `) ` + aDescription + free), maintain.Descriptions, 1, 0},
		{form(`(` + onePage + `)` + lack + `(?:(?:meta|page|seo|search) )?description(?:[,;.:]| ->| -| –)?(?: (?:please|so|and|just|then))*` +
			` (?:use|set it to|make it|add(?: this)?|write|put|take)(?:: (.+)|:? ` + quoted + `)`), maintain.Descriptions, 1, 0},
		{form(giving + ` ` + anAltText + ` (?:of|for|on|to) ` + anImage + on + free), maintain.AltText, 2, 1},
		{form(giving + ` ` + anImage + on + ` ` + anAltText + free), maintain.AltText, 2, 1},
		{form(anAltText + ` (?:of|for|on) ` + anImage + on + free), maintain.AltText, 2, 1},
		{form(anImage + on + `(?:,|:| -)? ` + anAltText + free), maintain.AltText, 2, 1},
		{form(giving + ` ` + anAltText + ` (?:of|for|on|to) (?:the )?(?:only )?(?:image|picture|screenshot|figure|diagram)` + on + free), maintain.AltText, 1, 0},
	}
})

// mayGive quickly rules out sentences that contain no new text, without trying all wordings.
var mayGive = lazyregexp.New(`(?i)\bdescription\b|\balt\b|\balternative text\b`)

// givenText parses a sentence that gives a description or an alt text. The text may contain anything, so it is
// parsed before the sentence is divided.
func (r *reading) givenText(sentence string) bool {
	if !mayGive.MatchString(sentence) {
		return false
	}
	for _, f := range givenForms() {
		m := f.form.FindStringSubmatch(sentence)
		if m == nil {
			continue
		}
		n := len(m)
		text := strings.TrimSpace(m[n-2] + m[n-1])
		if bare := unquote(text); bare != text {
			text = bare
		} else if strings.HasSuffix(r.whole, text+".") {
			text += "." // the full stop belongs to the text, not to the sentence
		}
		t := maintain.Task{Kind: f.kind, Files: []string{pageOf(m[f.page])}, Text: text}
		if f.image > 0 {
			t.From = m[f.image]
		}
		return r.add(t)
	}
	return false
}

// The following shapes for navigation positions, groups and redirects are matched by roles; see roles.go.

func noRedirectShape(r *reading, m []string) bool {
	return r.add(maintain.Task{Kind: maintain.NoRedirects, Files: []string{m[1]}})
}

func groupShape(r *reading, m []string) bool {
	return r.add(maintain.Task{Kind: maintain.RenameGroup, From: m[1], To: m[2]})
}

// placeShape puts a page next to another. "It" refers to the page that, according to the previous sentence, is not in
// the navigation.
func placeShape(r *reading, m []string) bool {
	name, where, beside := m[1], m[2], m[3]
	if name == "it" {
		if r.previous == nil || r.previous.Kind != maintain.Navigation || len(r.previous.Files) != 1 {
			return false
		}
		name = r.previous.Files[0]
	}
	t := maintain.Task{Kind: maintain.Navigation, Files: []string{pageOf(name)}}
	switch where {
	case "after", "below", "behind", "following":
		t.After = pageOf(beside)
	default:
		t.Before = pageOf(beside)
	}
	return r.add(t)
}

func givenShapes() []shape {
	const (
		next  = `(?:(?:right|directly|immediately|just) )?(after|below|behind|following|before|above)`
		inNav = `(?: (?:in|of|on|to) nav)?`
		group = `(?:nav )?(?:group|section|category|heading)(?: (?:in|of) nav)?`
	)
	return []shape{
		{form(`delete redirect (?:from|for|of|at|on) ` + aPage +
			`(?:,? (?:because |since |as |so )?(?:we|i) (?:want|need|plan|have)s? to (?:re)?use (?:this|that|it)(?: url| name)?(?: again)?)?`), noRedirectShape},
		{form(`redirect (?:from|for|of|at|on) ` + aPage + ` shall (?:be )?(?:delete|go away|go|disappear)`), noRedirectShape},
		{form(aPage + ` shall (?:no longer|not|stop) redirect(?: (?:any ?more|to P\d+))?`), noRedirectShape},
		{form(`(?:move|change|become) ` + group + ` (Q\d+)(?: (?:in|of) nav)? (?:to|become|as|with|by) (Q\d+)`), groupShape},
		{form(`(?:move|change) (Q\d+) (?:group|section|category)(?: (?:in|of) nav)? (?:to|become|as|with|by) (Q\d+)`), groupShape},
		{form(group + ` (Q\d+)(?: (?:in|of) nav)? shall (?:become |read |say |be )?(Q\d+)`), groupShape},
		{form(`(?:add|move|go|place|show|list) (P\d+|N\d+|it)` + inNav + ` ` + next + ` ` + aPage + inNav), placeShape},
		{form(`(?:in|on) nav,? (P\d+|N\d+|it) shall (?:come |go |add |stand |appear |move |list |show )?` + next + ` ` + aPage), placeShape},
		{form(`(?:in|on) nav,? (?:add|move|go|place|show|list) (P\d+|N\d+|it) ` + next + ` ` + aPage), placeShape},
		{form(`(P\d+|N\d+|it) shall (?:come |go |add |stand |appear |move |list |show )?` + next + ` ` + aPage + inNav), placeShape},
	}
}
