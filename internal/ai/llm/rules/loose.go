package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// proposal is the probable meaning of a request. It is never carried out before the person has confirmed it.
type proposal struct {
	choices  [][]maintain.Task // possible readings; each is carried out as a whole
	out      []string          // parts of the prompt that the reading ignores, as written
	question string            // asks for missing information; "" if there are choices
}

// Limits of a proposal.
const (
	maxChoices  = 3
	maxProposed = 5 // tasks
)

// looseReading searches a sketch for actions and for what they apply to.
type looseReading struct {
	*sketch
	prompt   string
	pick     map[int]int  // which of a mark's possible pages to use
	unsure   []int        // used marks that may refer to several pages
	used     map[int]bool // used marks
	tasks    []maintain.Task
	question string
}

// writing matches requests to write text, to restructure or to give an opinion, which no chore can do.
var writing = lazyregexp.New(`(?i)\b(?:re-?write|reword|rephrase|paraphrase|draft|explain|summari[sz]e|translat(?:e|ing|ion)` +
	`|shorten|lengthen|expand|elaborate|improve|simplify` +
	`|clarify|illustrate|proofread|proof-read|review|polish|compare|convert|split|merg(?:e|ing)|combin(?:e|ing)|extract` +
	`|copy|duplicate|outline|announce|pretend|imagine|suppose|hypothetically)\b` +
	`|\b(?:documents?|document) (?:the|how|that|what|our|a|an|new)\b|\bturn .+ into\b|\bmake .+ (?:shorter|longer` +
	`|friendlier|clearer|nicer|better|simpler|easier|punchier|more|less)\b` +
	`|\b(?:add|write|create|include|insert|put|draw|make|need|want)(?: in)?(?: (?:a|an|the|some|more|another|one|few|new` +
	`|short|small|brief|missing|two|three|several|to|it|as|with))*(?: [\w-]+){0,2}? ` +
	`(?:sections?|paragraphs?|sentences?|tables?|columns?|rows?|examples?|warnings?|tips?|callouts?|screenshots?|diagrams?` +
	`|videos?|tutorials?|chapters?|intro(?:duction)?s?|cards?|tabs?|steps?` +
	`|headings?|snippets?|questions?|faqs?|accordions?|banners?|badges?|buttons?|prerequisites|glossary|overview (?:page|of))\b` +
	`|\b(?:upgrade|migration) guide\b|\bits own page\b|\bown page\b`)

// loose finds the probable meaning of a prompt. ok is false if it contains no action that a chore carries out.
func (g *grammar) loose(prompt string, folder *folderView) (p proposal, ok bool) {
	prompt = straight.Replace(strings.ToValidUTF8(prompt[:min(len(prompt), maxPrompt)], ""))
	if len(prompt) > maxLoose || isWriting(prompt) {
		return p, false
	}
	found := false
	for _, weak := range []bool{false, true} {
		q, ok := g.looseOnce(prompt, folder, weak)
		switch {
		case ok && (!found || len(q.out) < len(p.out)): // single words may name something that would be ignored otherwise
			p, found = q, true
		case !ok && !found && p.question == "":
			p.question = q.question
		}
		if found && len(p.out) == 0 {
			break
		}
	}
	return p, found || p.question != ""
}

// looseOnce reads a prompt. If weak is set, single words may be page names. ok is false if there is nothing to propose.
func (g *grammar) looseOnce(prompt string, folder *folderView, weak bool) (p proposal, ok bool) {
	k := g.sketchOf(prompt, folder, weak)
	l := &looseReading{sketch: k, prompt: prompt, pick: map[int]int{}}
	l.find()
	if len(l.tasks) == 0 || len(l.tasks) > maxProposed || len(l.unsure) > 1 {
		return proposal{question: l.question}, false
	}
	if where := l.nowhere(); where != "" {
		return proposal{question: "Which page or folder is " + code(where) + "? Name it by its path, such as `guides/start.mdx`."}, false
	}
	p.choices = [][]maintain.Task{l.tasks}
	if len(l.unsure) == 1 {
		at := l.unsure[0]
		for n := 1; n < len(k.marks[at].pages) && n < maxChoices; n++ {
			other := &looseReading{sketch: k, prompt: prompt, pick: map[int]int{at: n}}
			if other.find(); len(other.tasks) > 0 {
				p.choices = append(p.choices, other.tasks)
			}
		}
	}
	var wider bool
	if p.out, wider = g.leftOut(l); wider {
		return proposal{}, false // it would do more than was requested
	}
	return p, true
}

// maxLoose limits prompts that are read loosely, in bytes: a longer one is source material for writing.
const maxLoose = 2000

// find tries all actions, starting with those that have the most specific words.
func (l *looseReading) find() {
	l.used, l.tasks, l.unsure = map[int]bool{}, nil, nil
	for _, action := range []func() bool{l.logEntry, l.altText, l.description, l.noRedirect, l.group, l.place, l.unlist, l.list, l.deletion, l.relocation,
		l.redirection, l.repoint, l.links, l.version, l.term, l.formatting} {
		if !action() && l.question != "" {
			return
		}
	}
}

func (l *looseReading) add(t maintain.Task, marks ...int) bool {
	if _, ok := checked(t); !ok {
		return false
	}
	for _, m := range marks {
		if l.used[m] = true; m >= 0 {
			l.clauses[l.marks[m].clause].used = true
		}
	}
	if !slices.ContainsFunc(l.tasks, func(o maintain.Task) bool { return same(o, t) }) {
		l.tasks = append(l.tasks, t)
	}
	return true
}

// ask stores a question about missing information, unless an action was found.
func (l *looseReading) ask(question string) bool {
	if len(l.tasks) == 0 && l.question == "" {
		l.question = question
	}
	return false
}

// at returns the number of a mark.
func at(s string) int {
	n, err := strconv.Atoi(s[1:])
	if err != nil {
		return -1
	}
	return n
}

var markName = lazyregexp.New(`\b[GPFQCVIU]\d+\b`)

// all returns the marks of the given kinds in a text, in order.
func (l *looseReading) all(text, kinds string) (out []int) {
	for _, found := range markName.FindAllStringSubmatch(text, -1) {
		m := found[0]
		if n := at(m); n >= 0 && n < len(l.marks) && strings.IndexByte(kinds, m[0]) >= 0 && !l.used[n] && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// page returns the file of the page that a mark refers to, or the page's name if the folder is not known.
func (l *looseReading) page(n int) (string, bool) {
	m := l.marks[n]
	switch {
	case l.used[n]:
		return "", false
	case len(m.pages) > 0:
		if len(m.pages) > 1 && !slices.Contains(l.unsure, n) {
			l.unsure = append(l.unsure, n)
		}
		return m.pages[min(l.pick[n], len(m.pages)-1)].file, true
	case m.kind == folderMark:
		return strings.Trim(m.raw, "/"), true
	case m.kind == quoteMark || l.folder != nil:
		return "", false
	}
	return pageOf(m.raw), true
}

// files returns the pages that marks refer to.
func (l *looseReading) files(marks []int) (out []string) {
	for _, n := range marks {
		if f, ok := l.page(n); ok {
			out = append(out, f)
		}
	}
	return out
}

// address returns the address that a mark refers to.
func (l *looseReading) address(n int) string {
	if m := l.marks[n]; len(m.pages) > 0 && m.kind == pageMark && !isPath(m.raw) {
		return m.pages[0].path
	}
	return l.marks[n].raw
}

// Parts of the patterns below.
const (
	// fillers are words between a verb and its object that do not change the meaning.
	fillers = `(?: (?:page|pages|file|files|whole|entire|old|outdated|obsolete|stale|unused|both|all|deprecated|legacy` +
		`|existing|current|everything|contents|of|in|under|inside|from|below|for|url|on|about|:))*`
	some    = `(?: [a-z'-]+){0,4}?`
	things2 = ` ((?:[GFPQ]\d+)(?:(?: ,| and| or)+ [GFPQ]\d+)*)`
	target  = `(?: (?:folder|directory|path|url|new|page|called|named|:))*`
)

var (
	// implied matches clauses that request what happens anyway.
	implied = lazyregexp.New(`(?i)^(?:(?:and|but|so|then|also|please|pls|just|of course|make sure|ensure|that|while|without` +
		`|keep|keeping|leave|leaving|don't|do not|never|all|the|our|its|any|existing|old|inbound|incoming|with|a|an|add|update` +
		`|fix|adjust|set up|create|take care of|should|must|have to|has to|still|to|need|needs|break|breaking|broken|links?` +
		`|urls?|address(?:es)?|bookmarks?|redirects?|references?|navigation|nav|sidebar|menu|work|works|working|intact|valid` +
		`|alive|it|them|from|for|there|everything|else|anything|nothing|change|changes|changing|touch|other|pages?|files?|is` +
		`|are|be|too|accordingly|content|text|wording|in place|where needed|as well|afterwards|everywhere|docs|throughout` +
		`|across|in|on|mentions?|occurrences?|of|replace|apply|do|this|thanks|thank you|cheers|one|both|each|will do|SEO|adapt` +
		`|follow|if so|if needed|if necessary|if any|if there are any|if possible|if you can|where possible|generate|could you` +
		`|can you|would you|make|happen|points?|title unchanged|page itself|stays?|online|reachable)(?: |$))+$`)
	notThere    = lazyregexp.New(`(?i)\b(?:changelog|release notes|code)\b`) // places where versions and terms are not changed
	limitsScope = lazyregexp.New(`(?i)\b(?:except|excluding|unless|only|not in|not on|leave|skip|ignore|other than|apart from` +
		`|besides|without|if|don't|do not|dont|keep|never|avoid)\b`)
)

var (
	inWord  = lazyregexp.New(` (?:in|on|within|inside) ([a-z][a-z-]+)\b`)
	noPlace = ` all every each any docs documentation site website pages page places place text code prose general future` +
		` addition case favour favor front place way order english american british` +
		` lower upper capital both sentence sentences one nav newslog link format markup url it them there which what file` +
		` files repo repository project total fact alt image description everywhere ` +
		`accordance line spelling wording time sync capitals examples example production top bottom list new old other purpose` +
		` behalf demand average whole top-level footer titles headings `
)

// nowhere returns a word that seems to limit a task to one place although no page has that name, so that the task would
// apply everywhere.
func (l *looseReading) nowhere() string {
	if l.folder == nil || !slices.ContainsFunc(l.tasks, isWide) {
		return ""
	}
	for _, m := range inWord.FindAllStringSubmatch(l.text, -1) {
		if !strings.Contains(noPlace, " "+m[1]+" ") {
			return m[1]
		}
	}
	return ""
}

// isWide reports whether a task applies to all pages.
func isWide(t maintain.Task) bool {
	return len(t.Files) == 0 && len(t.Moves) == 0 && t.Kind != maintain.Changelog && t.Kind != maintain.RenameGroup
}

// ignored reports whether a part of the prompt contains marks and the reading uses none of them.
func (l *looseReading) ignored(clause int) bool {
	names, used := false, false
	for n, m := range l.marks {
		if m.clause == clause {
			names, used = true, used || l.used[n]
		}
	}
	return names && !used
}

// leftOut lists the parts of the prompt that the reading ignores. wider is true if one of them may limit the scope
// although the reading applies everywhere.
func (g *grammar) leftOut(l *looseReading) (out []string, wider bool) {
	wide := slices.ContainsFunc(l.tasks, isWide)
	versions := slices.ContainsFunc(l.tasks, func(t maintain.Task) bool { return t.Kind == maintain.Version || t.Kind == maintain.Term })
	for i, c := range l.clauses {
		c.used = c.used && !l.ignored(i)
		plain := g.plain(c.text)
		switch {
		case c.text == "" || c.used && !c.apart, g.mild.MatchString(plain), implied.MatchString(c.text), strings.TrimSpace(g.plain(c.text+" ")) == "":
		case versions && c.apart && notThere.MatchString(c.text) && limitsScope.MatchString(c.text):
		case !c.apart && statement(c.text):
		case !c.apart && len(contentWords(c.text)) == 0:
		default:
			out = append(out, c.text)
			wider = wider || wide && (c.apart || limitsScope.MatchString(c.text))
		}
	}
	return out, wider
}
