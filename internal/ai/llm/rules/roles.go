package rules

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

const (
	aPage    = `([PN]\d+)`
	aName    = `(?:[PN]\d+|[a-z][a-z-]*)`
	visitors = `visitors|readers|people|users|everyone|anyone|customers|them|traffic`
	mentions = `(?:still )?(?:say|says|use|uses|reads?|mentions?|shows?|call it|calls it)`
	within   = `(?: (?:in|on|of|at|within|inside|for) (` + aName + `(?: and ` + aName + `)*))?`
)

// shape is a pattern for outlines, with a function that records the request of a matching sentence. Marks in the
// pattern's groups are replaced with their values before the function gets them.
type shape struct {
	form *regexp.Regexp
	read func(r *reading, m []string) bool
}

func moveShape(r *reading, m []string) bool {
	from, to := m[1], m[2]
	if !isPath(to) {
		return false
	}
	return r.addMove(pageOf(from), pageOf(to))
}

func folderShape(r *reading, m []string) bool {
	return r.addMove(strings.Trim(m[1], "/"), strings.Trim(m[2], "/"))
}

func deleteShape(r *reading, m []string) bool {
	target := ""
	if len(m) > 2 {
		target = m[2]
	}
	return r.deletion(pageOf(m[1]), target)
}

func termShape(r *reading, m []string) bool {
	return r.add(maintain.Task{Kind: maintain.Term, From: m[1], To: m[2], Files: r.places(m[3])})
}

func insteadShape(r *reading, m []string) bool { return termShape(r, []string{"", m[2], m[1], m[3]}) }

func versionShape(r *reading, m []string) bool {
	return r.add(maintain.Task{Kind: maintain.Version, From: m[1], To: m[2], Files: r.places(m[3])})
}

func redirectShape(r *reading, m []string) bool {
	return r.add(maintain.Task{Kind: maintain.Redirects, Moves: []maintain.Move{{From: pageOf(m[1]), To: pageOf(m[2])}}})
}

func navShape(r *reading, m []string) bool {
	return r.add(maintain.Task{Kind: maintain.Navigation, Files: []string{pageOf(m[1])}})
}

func unlistShape(r *reading, m []string) bool {
	return r.add(maintain.Task{Kind: maintain.Unlist, Files: []string{pageOf(m[1])}})
}

// targetShape sets the target of the preceding deletion.
func targetShape(r *reading, m []string) bool {
	if len(r.out.tasks) == 0 {
		return false
	}
	last := &r.out.tasks[len(r.out.tasks)-1]
	if last.Kind != maintain.DeletePages || len(last.Moves) != 1 || last.Moves[0].To != "" {
		return false
	}
	last.Moves = []maintain.Move{{From: last.Moves[0].From, To: pageOf(m[1])}}
	return true
}

// pluralShape sets the plural of the preceding term.
func pluralShape(r *reading, m []string) bool {
	if n := len(r.out.tasks); n > 0 && r.out.tasks[n-1].Kind == maintain.Term {
		last := r.out.tasks[n-1]
		return r.add(maintain.Task{Kind: maintain.Term, From: last.From + "s", To: m[1], Files: last.Files})
	}
	return false
}

// choreShape parses a chore for the pages in the last group.
func choreShape(kind maintain.Kind) func(*reading, []string) bool {
	return func(r *reading, m []string) bool {
		t := maintain.Task{Kind: kind, Files: r.places(m[len(m)-1])}
		if len(t.Files) == 0 {
			return false // "images need alt text" may be advice
		}
		r.previous = &t
		return r.add(t)
	}
}

// brokenShape parses a report about broken links on a page, which is a request to fix them.
func brokenShape(r *reading, m []string) bool {
	return strings.Contains(m[0], "broken") && choreShape(maintain.FixLinks)(r, m)
}

func formatShape(r *reading, _ []string) bool {
	return r.scope != "" && r.add(maintain.Task{Kind: maintain.Format, Files: r.places("")})
}

// wonder adds a question.
func (r *reading) wonder(question string) bool {
	r.out.asks = append(r.out.asks, question)
	return true
}

// shapes lists the shapes of requests. Some match requests that lack a name, and ask for it.
var shapes = sync.OnceValue(func() []shape {
	return append(givenShapes(), []shape{
		{form(`move (?:P\d+ url|` + aPage + `)(?: url)?(?: from P\d+)? (?:to|as) ` + aPage), moveShape},
		{form(`(?:change|move|become) url (?:of|for) ` + aPage + `(?: from P\d+)? (?:to|as) ` + aPage), moveShape},
		{form(aPage + `(?: url)? shall (?:(?:move|go|become|change|at|in|to|as|be) )+` + aPage), moveShape},
		{form(`(?:everything|all pages|all|pages) (?:in|from|to|below|of) (P\d+) (?:shall )?(?:(?:move|go|become|at|in|to) )+(P\d+)`), folderShape},
		{form(`delete ` + aPage + `(?:(?: and)? redirect(?: it| visitors| readers| people| url)? to ` + aPage + `)?`), deleteShape},
		{form(aPage + ` (?:can|may|shall) (?:be )?(?:delete|go|go away|disappear)`), deleteShape},
		{form(`delete(?: (?:it|this|page))?`), func(r *reading, m []string) bool {
			return r.scope != "" && deleteShape(r, []string{"", r.scope})
		}},
		{form(`move(?: (?:it|this|page))? (?:to|as) (P\d+)`), func(r *reading, m []string) bool {
			return r.scope != "" && moveShape(r, []string{"", r.scope, m[1]})
		}},
		{form(`(?:and )?(?:redirect|send|direct|point|lead|take)(?: (?:it|` + visitors + `|url|old url|traffic))? to (` + aName + `)`), targetShape},
		{form(`(?:` + visitors + `) (?:of|to|on|at|from) (P\d+) shall (?:redirect|go|land|end up|sent|taken|arrive) (?:to|on|at) ` + aPage), redirectShape},
		{form(`(?:[a-z]+ )?(?:` + visitors + `)(?: [a-z]+){0,4}? (?:land|go|arrive|end up|come out|sent` +
			`|taken|redirected|redirect|forwarded) (?:on|to|at|in) ` + aPage), targetShape},
		{form(`(?:change|move|become|fix) (?:term )?(Q\d+) (?:to|with|by|for|as) (?:term )?(Q\d+)` + within), termShape},
		{form(`(?:term )?(Q\d+) (?:shall (?:become |read |say )?|is now |to )(?:term )?(Q\d+)` + within), termShape},
		{form(`(?:(?:we|i) )?(?:use|say|add|prefer|call it) (?:term )?(Q\d+)(?: now)? (?:instead of|rather than|in place of|not) (?:term )?(Q\d+)(?: now)?` +
			within), insteadShape},
		{form(`change(?: [a-z]+){0,3}?(?: from)? (V\d+) (?:to|with|by) (V\d+)` + within), versionShape},
		{form(`(?:add )?redirect(?: from| for| of| url)* (P\d+)(?: url)? to ` + aPage), redirectShape},
		{form(`(P\d+) shall (?:redirect|redirected|lead|point|forward|take)(?: [a-z]+)? to ` + aPage), redirectShape},
		{form(`(?:delete|hide) ` + aPage + ` (?:from|in|of) nav`), unlistShape},
		{form(aPage + ` shall not (?:be |show up |appear |show )*(?:in|on) nav`), unlistShape},
		{form(`add ` + aPage + ` (?:to|in) nav`), navShape},
		{form(aPage + ` shall (?:be |add |appear |show up |go )*(?:in|to|on) nav`), navShape},
		{form(`(?:it|this|that) shall (?:say|read|become) (Q\d+),? (?:instead of|rather than|not) (Q\d+)` + within), insteadShape},
		{form(aPage + ` shall (?:say|read|use) (Q\d+),? (?:instead of|rather than|not) (Q\d+)`), func(r *reading, m []string) bool {
			return termShape(r, []string{"", m[3], m[2], m[1]})
		}},
		{form(`(?:(?:docs|it|we|they|` + aPage + `) )` + mentions + ` (Q\d+)(?: in [a-z]+ [a-z]+)?(?:,| but| and)+ (?:it |this |that )?` +
			`shall (?:become |read |say )?(Q\d+)`), func(r *reading, m []string) bool { return termShape(r, []string{"", m[2], m[3], m[1]}) }},
		{form(`(?:(?:firmware|version|sdk|cli|api|release|app) )?(V\d+) to (V\d+)` + within), versionShape},
		{form(`(?:we|i)(?: have|'ve)? (?:released|shipped|published) (?:version )?(V\d+)|(?:version )?(V\d+) is (?:out|released|available|live)(?: now)?`),
			func(r *reading, m []string) bool { r.current = m[1] + m[2]; return true }},
		{form(`(?:docs|it|we|they|` + aPage + `) ` + mentions + ` (V\d+)`), func(r *reading, m []string) bool {
			return r.current != "" && versionShape(r, []string{"", m[2], r.current, m[1]})
		}},
		{form(`plural (Q\d+)`), pluralShape},
		{form(`image` + within + ` lacks alt`), choreShape(maintain.AltText)},
		{form(aPage + ` has image lacks alt`), choreShape(maintain.AltText)},
		{form(`alt lacks` + within), choreShape(maintain.AltText)},
		{form(`(` + aName + `(?: and ` + aName + `)*) lacks description`), choreShape(maintain.Descriptions)},
		{form(`(?:there is )?(?:broken link|link(?: (?:at|in|on) (?:top|bottom|end|start|beginning|text))?)` + within + `(?: (?:is|are))?(?: broken)?`), brokenShape},
		{form(`format(?: (?:markdown|formatting|source|there|it|file))*`), formatShape},
		{form(`add (?:[a-z]+ )?redirect(?: (?:from|for|to|of) ` + aPage + `)?`), func(r *reading, m []string) bool {
			return r.wonder(code(m[0]) + ": " + whichRedirect)
		}},
		{form(`format (?:markdown |formatting |source |syntax |mdx |layout )*(?:of |in |on )?` + aPage), func(r *reading, m []string) bool {
			return r.add(maintain.Task{Kind: maintain.Format, Files: []string{pageOf(m[1])}})
		}},
	}...)
})

// places returns the pages of a scope; an empty list means the scope at the start of the sentence.
func (r *reading) places(list string) (out []string) {
	if list == "" {
		if r.scope == "" {
			return nil
		}
		return []string{pageOf(r.scope)}
	}
	for name := range strings.SplitSeq(list, " and ") {
		out = append(out, pageOf(name))
	}
	return out
}

var (
	anyMark   = lazyregexp.New(`\b[QPVN]\d+\b`)
	commas    = lazyregexp.New(`([PN]\d+), (?:and )?([PN]\d+)`)
	segments  = lazyregexp.New(`[,;:()!?.]+(?: |$)|[()]| - | – | (?:because|since|so that|as we|as it) | and (?:then )?`)
	onlyWhere = form(`(?:(?:typo|mistake|error|bug|issue|problem|wording|terminology|formatting|markdown|layout) )?(?:(?:on|in|for|of) )?` + aPage +
		`(?: (?:is|looks) [a-z ]+)?`)
	// besides matches a remark that a version must also change in code, which happens anyway.
	besides = form(`(?:(?:even|inside|in|within|of) )+(?:code|text|prose|commands?|examples?|download|headings?|titles?)(?: [a-z]+)*`)
	// subjects are words that start a statement of a reason.
	subjects = lazyregexp.New(`(?i)^(?:we|i|it|its|it's|this|these|they|nobody|no one|no-one|people|users|customers|readers|same|as|` +
		`because|since|so|for|there|new|legal|marketing|support|someone|which)\b`)
	wishes = lazyregexp.New(`(?i)\b(?:want|need|like|prefer|wish|expect|should|must|shall|has to|have to|may|can|only|except|unless|if|when|until` +
		`|but|instead|after|before|leave|keep|touch|page|pages|folder|section|files?)\b|[QPNV]\d|/`)
	speech = lazyregexp.New(`^(?:explain|tell|add|describe|translate|pretend|suppose|imagine|draft|say|ask|how|what|why|summari[sz]e|document)\b`)
)

// statement reports whether a part states a reason: it has a subject, contains no names and requests nothing.
func statement(s string) bool { return subjects.MatchString(s) && !wishes.MatchString(s) }

// roles parses a sentence by the roles of the names in it. Every part of it must be a request, a scope or a reason.
func (r *reading) roles(s string) bool {
	o := outlined(r.plain(s))
	for commas.MatchString(o.text) {
		o.text = commas.ReplaceAllString(o.text, "$1 and $2")
	}
	saved := *r
	saved.out.tasks = slices.Clone(r.out.tasks)
	if r.parts(o) {
		r.scope = ""
		return true
	}
	*r = saved
	return false
}

func (r *reading) parts(o *outline) bool {
	requests := false
	if r.shaped(o, o.text) {
		return true
	}
	start := 0
	cuts := append(segments.FindAllStringIndex(o.text, -1), []int{len(o.text), len(o.text)})
	for i := 0; i < len(cuts); i++ {
		if cuts[i][0] < start {
			continue
		}
		part, end := "", i
		for j := len(cuts) - 1; j >= i; j-- { // the longest part that is a request
			if text := strings.TrimSpace(o.text[start:cuts[j][0]]); r.shaped(o, text) {
				part, end, requests = text, j, true
				break
			}
		}
		if part == "" {
			part = strings.TrimSpace(o.text[start:cuts[i][0]])
			colon := strings.HasPrefix(o.text[cuts[i][0]:], ":")
			switch m := onlyWhere.FindStringSubmatch(part); {
			case part == "" || statement(part) || besides.MatchString(part) && r.doing(maintain.Version):
			case m != nil && !requests:
				r.scope = o.value(m[1])
			case colon && !requests && !anyMark.MatchString(part) && !speech.MatchString(part) && !r.limiting.MatchString(part) &&
				len(strings.Fields(part)) < 5: // a heading
			default:
				return false
			}
		}
		start, i = cuts[end][1], end
	}
	return requests
}

// doing reports whether the last task is of one of these kinds.
func (r *reading) doing(kinds ...maintain.Kind) bool {
	n := len(r.out.tasks)
	return n > 0 && slices.Contains(kinds, r.out.tasks[n-1].Kind)
}

// shaped parses one request by its shape.
func (r *reading) shaped(o *outline, text string) bool {
	for _, s := range shapes() {
		m := s.form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for i := range m {
			m[i] = o.value(m[i])
		}
		if s.read(r, m) {
			return true
		}
	}
	return false
}
