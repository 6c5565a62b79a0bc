package rules

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
)

// understood is the parsed form of a prompt.
type understood struct {
	tasks   []maintain.Task
	asks    []string // questions to answer before more can be done
	unclear []string // parts that are not understood, as written
	bounded string   // a restriction that is not understood: nothing may be done then
}

// grammar holds the compiled wordings of all requests. It is read-only.
type grammar struct {
	pairs
	pageForms
	entries                                []*regexp.Regexp
	quotedEntry                            *regexp.Regexp
	questions                              []question
	polite, mild, limiting, mindful, joins *regexp.Regexp
	file, folder, openPull                 *regexp.Regexp
	inWords, everything                    *regexp.Regexp
	chores                                 []chore
	listed, fixThem, heading, absent       *regexp.Regexp
	tells                                  map[maintain.Kind]*regexp.Regexp
	verbs                                  map[string]bool // first words of requests
}

// joining are the words between two requests in one sentence.
const joining = `and then|and also|and|then|plus|as well as|followed by|after that|also`

// maxJoins limits the number of positions at which a sentence may be divided.
const maxJoins = 16

func newGrammar() *grammar {
	verbs := map[string]bool{}
	for v := range strings.FieldsSeq(firstWords) {
		verbs[v] = true
	}
	return &grammar{
		verbs: verbs,
		pairs: newPairs(), chores: chores(), pageForms: newPageForms(),
		entries: entryForms(), quotedEntry: quotedEntry(), questions: questions(),
		polite: regexp.MustCompile(polite), mild: form(mild), limiting: regexp.MustCompile(limiting),
		mindful: regexp.MustCompile(mindful),
		joins:   regexp.MustCompile(`(?i) ?[,;:] (?:(?:` + joining + `) )?| (?:` + joining + `|&|\+) `),
		file:    regexp.MustCompile(`(?i)` + file),
		folder:  regexp.MustCompile(`(?i)\b([\w-]+) (?:folder|directory|section)\b`),
		inWords: regexp.MustCompile(`(?i)(?:\b(?:in|on|to) )?((?:the |our )(?:[\w-]+ ){1,3}(?:page|guide|tutorial|article)|(?:the |our )?home ?page)\b|\b(?:in` +
			`|on|to) ((?:the|our) [\w-]+)`),
		everything: form(whole),
		openPull:   regexp.MustCompile(`(?i)(?:and |then )+(?:open|create|make|submit|send|raise) .*$`),
		listed:     form(`(?:add|put|include|list|insert|show) (` + files + `|` + onePage + `) (?:to|in|into|on) ` + nav + tail),
		heading:    form(heading),
		absent: form(`(` + onePage + `) (?:(?:does not|doesn't|do not|don't) (?:show up|appear|show)|(?:is|are) (?:not|missing)(?: (?:yet` +
			`|listed|linked|included|shown))*|isn't|is absent)` +
			` (?:in|from|on) ` + nav),
		fixThem: form(fixThem),
		tells: map[maintain.Kind]*regexp.Regexp{maintain.FixLinks: form(tellsLinks),
			maintain.Descriptions: form(tellsPages), maintain.AltText: form(tellsImages)},
	}
}

// reading is the state of parsing a prompt.
type reading struct {
	*grammar
	out      understood
	previous *maintain.Task  // the chore for the problem described in the previous sentence
	moved    []maintain.Move // moves that a sentence reports
	called   *maintain.Task  // a rename that a sentence reports
	subject  string          // the page that a sentence is about
	old      string          // the address that a sentence says is still in use
	current  string          // the version that a sentence says is the newest
	scope    string          // the scope at the start of a sentence
	whole    string          // the complete sentence, with its punctuation
}

// read parses a prompt.
func (g *grammar) read(prompt string) understood {
	r := &reading{grammar: g}
	content := false // the following text belongs to something that is not understood
	for _, s := range sentences(prompt) {
		clause := strings.TrimSpace(strings.TrimRight(s, ".!?;: "))
		r.whole = strings.TrimSpace(s)
		switch {
		case content || len(s) > maxSentence:
			r.unknown(s)
		case clause == "" || g.mild.MatchString(clause) || g.mild.MatchString(g.plain(clause)) ||
			g.plain(clause+" ") == "":
		case !r.sentence(clause):
			r.unknown(s)
			content = strings.HasSuffix(s, ":")
		}
	}
	if r.previous != nil && len(r.previous.Files) > 0 && len(r.out.tasks)+len(r.out.asks)+len(r.out.unclear) == 0 {
		r.add(*r.previous) // a report of a problem on a page, with nothing else, is a request to fix it
	}
	if r.out.bounded != "" {
		r.out.tasks = nil
	}
	return r.out
}

// unknown records a part that is not understood.
func (r *reading) unknown(s string) {
	if r.limiting.MatchString(s) && r.out.bounded == "" && !statement(s) {
		r.out.bounded = s
	}
	r.out.unclear = append(r.out.unclear, s)
}

func (r *reading) add(t maintain.Task) bool {
	if _, ok := checked(t); !ok {
		return false // whatever it means, it is not a chore
	}
	if !slices.ContainsFunc(r.out.tasks, func(o maintain.Task) bool { return same(o, t) }) {
		r.out.tasks = append(r.out.tasks, t)
	}
	return true
}

// sentence parses a sentence: one request, several, or a fact that a request refers to.
func (r *reading) sentence(s string) bool {
	if r.changelogEntry(r.plain(s)) || r.givenText(r.plain(s)) || r.fact(s) || r.request(r.plain(s), "") {
		return true
	}
	cuts := r.joins.FindAllStringIndex(s, -1)
	if len(cuts) > maxJoins {
		return false
	}
	if parts := r.divide(s, cuts); parts != nil {
		verb := ""
		for _, p := range parts {
			p = r.plain(p)
			if !r.fact(p) {
				r.request(p, verb)
			}
			if first, _, _ := strings.Cut(p, " "); carries(first) {
				verb = strings.ToLower(first)
			}
		}
		return true
	}
	return r.roles(s) || r.begin(s, cuts)
}

// divide splits a sentence that consists only of requests, and returns nil for any other sentence. The first part is as
// long as possible.
func (r *reading) divide(s string, cuts [][]int) []string {
	try := &reading{grammar: r.grammar, previous: r.previous, moved: r.moved, called: r.called, current: r.current,
		subject: r.subject, old: r.old}
	try.out.tasks = slices.Clone(r.out.tasks)
	fails := map[int]bool{} // positions from which no division succeeds
	var from func(start int, verb string) []string
	from = func(start int, verb string) []string {
		if fails[start] {
			return nil
		}
		if p := try.plain(s[start:]); start > 0 && (try.request(p, verb) || try.mild.MatchString(p)) {
			return []string{s[start:]}
		}
		for i := len(cuts) - 1; i >= 0; i-- {
			if cuts[i][0] <= start {
				break
			}
			p := try.plain(s[start:cuts[i][0]])
			if !try.fact(p) && !try.request(p, verb) && !try.heading.MatchString(p) {
				continue
			}
			next := verb
			if first, _, _ := strings.Cut(p, " "); carries(first) {
				next = strings.ToLower(first)
			}
			if rest := from(cuts[i][1], next); rest != nil {
				return append([]string{s[start:cuts[i][0]]}, rest...)
			}
		}
		fails[start] = true
		return nil
	}
	return from(0, "")
}

// begin parses the requests at the start of a sentence, the rest of which is not understood.
func (r *reading) begin(s string, cuts [][]int) bool {
	for i := len(cuts) - 1; i >= 0; i-- {
		left, rest := s[:cuts[i][0]], s[cuts[i][1]:]
		try := &reading{grammar: r.grammar, previous: r.previous, moved: r.moved, called: r.called, current: r.current,
			subject: r.subject, old: r.old}
		if try.request(r.plain(left), "") || try.divide(left, cuts[:i]) != nil {
			if !r.sentence(left) {
				continue
			}
			if !r.mild.MatchString(r.plain(rest)) {
				r.unknown(rest)
			}
			return true
		}
	}
	return false
}

// carries reports whether a verb may apply to the next request too: "add descriptions and alt text".
func carries(verb string) bool {
	switch strings.ToLower(verb) {
	case "add", "fix", "format", "generate", "write", "create", "fill", "repair", "delete", "remove":
		return true
	}
	return false
}

// request parses one request; verb is the verb of the previous request, which may apply here too.
func (r *reading) request(clause, verb string) bool {
	if r.one(clause) {
		return true
	}
	if verb != "" && r.one(verb+" "+clause) {
		return true
	}
	if m := r.scoped.FindStringSubmatch(clause); m != nil && r.one(m[2]+" in "+m[1]) {
		return true
	}
	return r.ask(clause)
}

func (r *reading) one(clause string) bool {
	if r.doing(maintain.MovePages, maintain.DeletePages) && r.afterwards.MatchString(clause) {
		return true
	}
	// a cheap test first: most clauses do not start with a known verb, and there are many wordings
	if first, _, _ := strings.Cut(clause, " "); r.verbs[strings.ToLower(first)] {
		for _, f := range []func(string) (maintain.Task, bool){r.choreOf, r.version, r.move, r.rename} {
			if t, ok := f(clause); ok {
				return r.add(t)
			}
		}
	}
	if r.pages(clause) {
		return true
	}
	if t, ok := r.written(clause); ok {
		return r.add(t)
	}
	switch {
	case r.fixThem.MatchString(clause) && r.previous != nil:
		return r.add(*r.previous)
	case r.update.MatchString(clause) && r.called != nil:
		return r.add(*r.called)
	}
	return r.redirect(clause)
}

// redirect parses a clause that requests redirects.
func (r *reading) redirect(clause string) bool {
	for _, f := range []*regexp.Regexp{r.redirects, r.movedThen} {
		if m := f.FindStringSubmatch(clause); m != nil {
			if f == r.movedThen {
				m = m[:len(m)-1] // the scope
			}
			if moves, ok := r.movesOf(m); ok {
				return r.add(maintain.Task{Kind: maintain.Redirects, Moves: moves})
			}
		}
	}
	m := r.bare.FindStringSubmatch(clause)
	if m == nil {
		return false
	}
	if single := strings.HasPrefix(strings.ToLower(m[2]), "a "); single && len(r.moved) == 0 {
		return false // the page is missing
	}
	return r.add(maintain.Task{Kind: maintain.Redirects, Moves: slices.Clone(r.moved)})
}

// fact records the facts that a sentence states and that the next sentence may refer to: what is broken, what has
// moved, what has another name.
func (r *reading) fact(s string) bool {
	s = r.plain(s)
	if t, ok := r.mentioned(s); ok {
		r.previous = &t
		return true
	}
	if m := r.absent.FindStringSubmatch(s); m != nil {
		r.previous = &maintain.Task{Kind: maintain.Navigation, Files: []string{pageOf(m[1])}}
		return true
	}
	if m := r.renamedThen.FindStringSubmatch(s); m != nil {
		if t, ok := r.calledSo(m[:len(m)-1]); ok {
			return r.add(t)
		}
	}
	if m := r.moves.FindStringSubmatch(s); m != nil && !r.movedThen.MatchString(s) {
		if moves, ok := r.movesOf(m); ok && paths(moves) {
			r.moved = append(r.moved, moves...)
			return true
		}
	}
	if m := r.renamed.FindStringSubmatch(s); m != nil {
		if t, ok := r.calledSo(m); ok {
			r.called = &t
			return true
		}
	}
	return r.release(s) || r.subjectOf(s)
}

// paths reports whether moves certainly concern pages and not terms.
func paths(moves []maintain.Move) bool {
	return !slices.ContainsFunc(moves, func(m maintain.Move) bool { return !isPath(m.From) })
}

func isPath(s string) bool {
	return strings.Contains(s, "/") || strings.HasSuffix(s, ".mdx") || strings.HasSuffix(s, ".md")
}

// calledSo makes a task from a sentence that reports a rename.
func (r *reading) calledSo(m []string) (maintain.Task, bool) {
	for i := 1; i+6 <= len(m); i += 6 {
		if m[i+2] != "" {
			return r.termTask(m[i:i+6], "", false)
		}
	}
	return maintain.Task{}, false
}

func encode(t maintain.Task) (json.RawMessage, error) { return json.Marshal(t) }

func same(a, b maintain.Task) bool {
	x, errX := encode(a)
	y, errY := encode(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
