package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Requests that contain an old and a new name.
const (
	versionText = `["'` + "`" + `]?(v?[0-9]+(?:\.[0-9]+)+(?:[-+.][0-9A-Za-z.+-]*[0-9A-Za-z])?|v[0-9]+)["'` + "`" + `]?`
	become      = `(?: to| with| by| ?->| into)`
	versioning  = `(?:bump|update|upgrade|raise|increase|change|set|replace|switch|move|version bump:?)`
	versionNoun = `(?:(?:all|every|each|any|the|our|docs?|documentation|package|product|release|current|latest|tool|cli|sdk|api|of` +
		`|mentions?|occurrences?|` +
		`instances?|references?|uses|version|versions|number|numbers|string|strings|to) )*(?:[\w-]+ (?:versions?|release) )?`

	words = `[\p{L}\p{N}][\p{L}\p{N}.+#&'_-]*(?: [\p{L}\p{N}&][\p{L}\p{N}.+#&'_-]*){0,4}?`
	term  = `(` + quotes + `|` + words + `)`
	noun  = `(?:(term|terms|word|words|phrase|expression|name|product|brand|product name|brand name) )?`
	every = `(?:(?:(?:all|every|each|any) )?(?:the )?(?:mentions?|occurrences?|instances?|uses|usages?) of )?`
	the   = `(the |our |a |an |my )?`

	place = "(" + quotes + "|[^\\s,;:\"'`]+)"
	more2 = `((?:(?:,| and|, and) (?:from )?` + "(?:" + quotes + "|[^\\s,;:\"'`]+)" + `(?: to| ?->) ` + "(?:" + quotes +
		"|[^\\s,;:\"'`]+)" + `)*)`
	thing = `(?:(?:the )?(?:page|file|folder|directory|section) )?`

	moved = `(?:(?:i|we|they|someone) )?(?:(?:i've|we've|have|just|recently|also) )*(?:moved|renamed) ` + thing +
		place + `(?: to| ?->) ` + thing +
		place + more2 + `|` +
		`(?:the )?` + thing + place + ` (?:(?:has|was|have|were|is|been|just|recently) )*(?:moved|renamed) to ` +
		thing + place + more2 + `|` +
		thing + place + ` is now (?:at |in |under |located at )?` + thing + place + more2
	adding   = `(?:add|create|set up|write|make|insert|define|put in)`
	redirect = `(?:(?:a|an|the|any|some|all|every|our|missing|needed|necessary|appropriate|permanent|matching` +
		`|corresponding) )*(?:redirects?(?: rules?)?|30[1278]s?(?: redirects?)?):?`
	forIt   = `(?: for (?:it|them|that|this|those|these|that move|the move))?`
	joint   = `[,:;.]?(?: -| –)?(?: and| so| then| therefore)?(?: ` + pr + `)*,? `
	oldOnes = `(?: (?:for|after|from) ` + det +
		`(?:recently )?(?:moved|renamed|old|relocated|page|deleted)(?: (?:pages?|files?|moves?|paths?|urls?|` +
		`addresses|locations?))?| after ` + det +
		`(?:moves?|restructuring|reorgani[sz]ation|reorg|renames?|migration))?`
)

// followUp matches updates that a move makes anyway.
const followUp = `,? (?:and|then|and then) (?:(?:also|please) )*(?:(?:update|fix|adjust|correct|change) ` + det +
	`(?:links?|references?|navigation|nav|sidebar|imports?|docs\.json)(?:(?:,| and|, and) ` + det +
	`(?:links?|references?|navigation|nav|sidebar|imports?|redirects?|docs\.json))*(?: (?:to|pointing to|that point to|for) (?:it|them|the page))?` +
	`|(?:add|create|set up|leave|keep) ` + redirect + forIt + `(?: from (?:the )?old (?:path|address|url|location))?)`

// pairs contains the wordings of such requests.
type pairs struct {
	versions, renames, replaces, instead, moves, redirects, bare *regexp.Regexp
	movedThen, renamedThen, renamed, pair                        *regexp.Regexp
	update, relocates                                            *regexp.Regexp
	should, sed, search, style, released, nowAt, atNow, justOld  *regexp.Regexp
	weCall, stopSaying, findMake, was                            *regexp.Regexp
}

func newPairs() pairs {
	renamed := `(?:(?:i|we) (?:(?:have|just|recently) )*|(?:i've|we've) (?:just |recently )?)renamed ` + the + noun +
		term + ` to ` + the + noun + term +
		`|` + the + noun + term + ` (?:(?:is|are) now (?:called|named|known as)|(?:has|have) been renamed(?: to)?` +
		`|was renamed(?: to)?) ` + the + noun + term
	updating := `(?:do (?:it|this|that)(?: with redirects?)?|update|change|adjust|fix|apply|rename (?:it|this|that)|replace|reflect (?:it|this|that))` +
		`(?: (?:it|this|that|them|(?:(?:all|any|the|every) )*(?:mentions?|occurrences?|references?|instances?)))?(?: (?:in|on|` +
		`across|throughout))?(?: ` + whole + `)?`
	product := `(?:[\w-]+ ){1,4}`
	return pairs{
		weCall: form(`(?:(?:we|i)(?: now)? (?:call|say|write|use|name|prefer)(?: (?:it|this|that|them))? ` + term + `(?: now` +
			`| these days)?,? (?:not|and not|instead of|rather than|no longer) ` + term +
			`)`),
		stopSaying: form(`(?:stop|avoid) (?:saying|using|writing|calling (?:it|them)) ` + the + noun + term + `(?:,| and|;|:| -)+ (?:say|use` +
			`|write|call (?:it|them)|prefer) ` + the + noun + term + `(?: instead)?` + tail),
		findMake: form(`(?:find|look for|search for|search|take) ` + every + the + noun + term + `(?: everywhere)?,? and (?:make (?:it|them)` +
			`|change (?:it|them) (?:to|into)|replace (?:it|them) (?:with|by)|` +
			`turn (?:it|them) into|rename (?:it|them)(?: to)?|call (?:it|them)) ` + the + noun + term + tail),
		was: form(versioning + ` ` + versionNoun + `(?:to )?` + versionText + tail + `,? ?\(?(?:it )?(?:was|were|is currently|currently` +
			`|before|previously|instead of|up from|from)(?: at)? ` +
			versionText + `\)?` + tail),
		should: form(`(?:(?:correct|fix) the (?:spelling|name|wording|term|terminology|case|capitali[sz]ation` +
			`|typo)(?: of)?:? )?` + the + noun + term + ` (?:should|must|needs to|has to) (?:become|read|say|be called|be named|be renamed to|be replaced (?:by|with)|be changed to|be) ` +
			the + noun + term + tail),
		sed:    form(`s/([^/]+)/([^/]+)/g` + tail),
		search: form(`(?:search|find) (?:and|&) replace:? ` + every + the + noun + term + ` ?(?:->|with|by|to) ?` + the + noun + term + tail),
		style: form(`(?:our|the) (?:style ?guide|glossary|word list|terminology) (?:says|wants|prefers|uses|has|asks for|requires) ` + term +
			` (?:rather than|instead of|and not|not|over) ` + term),
		released: form(`(?:we|i)(?: have| just|'ve)* (?:released|shipped|published) (?:version )?` + versionText + joint +
			`update ` + whole + `,? ?\(?(?:(?:they|it|which|the docs) )?(?:still|currently) (?:say|says|mention|mentions|show|shows|use|uses` +
			`|name|names) (?:version )?` + versionText + `\)?`),
		nowAt: form(`(?:the |our )?` + product + `(?:is|are) (?:now )?(?:at )?` + versionText + `(?: now)?,? (?:instead of|rather than` +
			`|and not|not|no longer) ` + versionText),
		atNow:   form(`(?:the |our )?` + product + `(?:is|are) (?:now (?:at )?|at )` + versionText + `(?: now)?`),
		justOld: form(`(?:replace|update|change) ` + versionNoun + versionText + tail),
		versions: form(versioning + ` ` + versionNoun + `(?:from )?(?:version )?` + versionText + become +
			` (?:version )?` + versionText + tail + `(?:,? (?:but |and )?(?:keep|leave|not in|don't (?:touch|change)|do not (?:touch|change)` +
			`|except(?: for| in)?|without touching) (?:the )?` +
			`(?:changelog|release notes)(?: (?:as (?:it )?is|alone|untouched|unchanged|as they are))?)?`),
		renames: form(`rename ` + every + the + noun + term + `(?: everywhere)?(?: to| as| into| ?->) ` + the +
			noun + term + tail),
		replaces: form(`(?:replace|substitute|change|swap) ` + every + the + noun + term +
			`(?: to| with| by| into| for| ?->) ` + the + noun + term + tail),
		instead: form(`(?:use|say|write|prefer) ` + the + noun + term + ` (?:instead of|in place of|rather than) ` + the + noun + term +
			tail),
		relocates: form(`(?:move|rename|relocate) ` + thing + place + `(?: to| into| under| ?->) ` + thing + place + more2 +
			`(?:` + followUp + `|(?:[,;:]? ?(?:and |then |and then )?(?:` + pr + ` )*` + afterwards + `)|` + fill + `)*`),
		renamed:     form(renamed),
		renamedThen: form(`(?:` + renamed + `)` + joint + updating + tail),
		update:      form(updating + tail),
		moves:       form(moved),
		movedThen:   form(`(?:` + moved + `)` + joint + adding + ` ` + redirect + forIt + tail),
		redirects: form(`(?:` + adding + ` ` + redirect + ` (?:from |for )?` + thing + `|redirect (?:from )?` + thing +
			`)` + place + `(?: to| ?->) ` +
			thing + place + more2 + `(?:` + fill + `)*`),
		bare: form(`(` + adding + ` |generate )` + `(` + redirect + `)` + forIt + oldOnes + `(?:` + fill + `)*`),
		pair: regexp.MustCompile("(?i)(" + quotes + "|[^\\s,;:\"'`]+)(?: to| ?->) (" + quotes + "|[^\\s,;:\"'`]+)"),
	}
}

// move parses a clause that requests another path for pages, files or folders.
func (g *grammar) move(clause string) (maintain.Task, bool) {
	m := g.relocates.FindStringSubmatch(clause)
	if m == nil {
		return maintain.Task{}, false
	}
	moves, ok := g.movesOf(m)
	if !ok || !paths(moves) || slices.ContainsFunc(moves, func(m maintain.Move) bool { return !isPath(m.To) }) {
		return maintain.Task{}, false
	}
	return checked(maintain.Task{Kind: maintain.MovePages, Moves: moves})
}

// version parses a clause that requests another version.
func (g *grammar) version(clause string) (maintain.Task, bool) {
	m := g.versions.FindStringSubmatch(clause)
	if m == nil {
		return maintain.Task{}, false
	}
	return checked(maintain.Task{Kind: maintain.Version, From: m[1], To: m[2], Files: g.filesOf(m[3])})
}

// things are nouns that are not terms: renaming one of these is a different task.
var things = []string{"page", "pages", "file", "files", "folder", "section", "tab", "group", "heading", "title",
	"component", "function", "variable", "branch", "repo", "repository", "button", "link", "image", "logo", "domain",
	"url", "one", "ones", "it", "them", "this", "that", "these", "everything", "text"}

// rename parses a clause that requests another term.
func (g *grammar) rename(clause string) (maintain.Task, bool) {
	if m := g.renames.FindStringSubmatch(clause); m != nil {
		return g.termTask(m[1:5+2], m[len(m)-1], false)
	}
	if m := g.replaces.FindStringSubmatch(clause); m != nil {
		return g.termTask(m[1:5+2], m[len(m)-1], true)
	}
	if m := g.instead.FindStringSubmatch(clause); m != nil {
		return g.termTask([]string{m[4], m[5], m[6], m[1], m[2], m[3]}, m[len(m)-1], true)
	}
	return maintain.Task{}, false
}

// written parses other ways to request another term or version.
func (r *reading) written(clause string) (maintain.Task, bool) {
	if m := r.sed.FindStringSubmatch(clause); m != nil {
		return r.termTask([]string{"", "term", m[1], "", "term", m[2]}, m[3], false)
	}
	if m := r.search.FindStringSubmatch(clause); m != nil {
		return r.termTask(m[1:7], m[len(m)-1], false)
	}
	// "the API should be fast" does not ask for another word
	if m := r.should.FindStringSubmatch(clause); m != nil && (m[2] != "" || unquote(m[3]) != m[3] || renaming.MatchString(clause)) {
		return r.termTask(m[1:7], m[len(m)-1], true)
	}
	for _, f := range []*regexp.Regexp{r.stopSaying, r.findMake} {
		if m := f.FindStringSubmatch(clause); m != nil {
			return r.termTask(m[1:7], m[len(m)-1], true)
		}
	}
	if m := r.was.FindStringSubmatch(clause); m != nil {
		return checked(maintain.Task{Kind: maintain.Version, From: m[3], To: m[1], Files: r.filesOf(m[2] + m[4])})
	}
	if m := r.released.FindStringSubmatch(clause); m != nil {
		return checked(maintain.Task{Kind: maintain.Version, From: m[2], To: m[1]})
	}
	if m := r.justOld.FindStringSubmatch(clause); m != nil && r.current != "" {
		return checked(maintain.Task{Kind: maintain.Version, From: m[1], To: r.current, Files: r.filesOf(m[2])})
	}
	return maintain.Task{}, false
}

// renaming matches verbs that apply only to names.
var renaming = lazyregexp.New(`(?i) be (?:called|named|renamed|replaced) `)

// release records a statement about the newest version or the correct term.
func (r *reading) release(s string) bool {
	if m := r.nowAt.FindStringSubmatch(s); m != nil {
		t, ok := checked(maintain.Task{Kind: maintain.Version, From: m[2], To: m[1]})
		if ok {
			r.called = &t
		}
		return ok
	}
	if m := r.atNow.FindStringSubmatch(s); m != nil {
		r.current = m[1]
		return true
	}
	if m := r.weCall.FindStringSubmatch(s); m != nil {
		t, ok := r.termTask([]string{"", "term", m[2], "", "term", m[1]}, "", false)
		if ok {
			r.called = &t
		}
		return ok
	}
	if m := r.style.FindStringSubmatch(s); m != nil {
		t, ok := r.termTask([]string{"", "term", m[2], "", "term", m[1]}, "", false)
		if ok {
			r.called = &t
		}
		return ok
	}
	return false
}

// termTask returns the task for two groups of article, noun and term. careful is set for wordings that also have other
// meanings: unquoted terms must then look like names, or the prompt must call them terms.
func (g *grammar) termTask(m []string, scope string, careful bool) (maintain.Task, bool) {
	from, to := unquote(m[2]), unquote(m[5])
	if to == m[5] && m[4] == "" && strings.ContainsFunc(m[3], unicode.IsUpper) {
		to = m[3] + to // "to The guide": a capital article is part of the term
		m[5] = to
	}
	quoted := from != m[2] || m[1] != ""
	name := func(s string) bool { return strings.ContainsFunc(s, unicode.IsUpper) }
	if !quoted && (careful || m[0] != "" || m[3] != "") && !name(from) && !name(to) {
		return maintain.Task{}, false
	}
	if !quoted && m[0] != "" && m[0] != "the " && m[0] != "The " {
		return maintain.Task{}, false
	}
	if !quoted && careful && m[0] != "" && !name(from) { // "the code samples" are objects, not words
		return maintain.Task{}, false
	}
	for _, t := range []struct{ written, term string }{{m[2], from}, {m[5], to}} {
		list := strings.Fields(strings.ToLower(t.term))
		if len(list) == 0 || strings.ContainsAny(t.term, "/\\") || strings.HasSuffix(t.term, ".mdx") ||
			strings.HasSuffix(t.term, ".md") {
			return maintain.Task{}, false
		}
		joins := func(w string) bool { return w == "and" || w == "or" || w == "to" || w == "with" }
		begins := slices.Contains([]string{"of", "in", "on", "for", "at", "by", "as", "from"}, list[0]) // "the name of the site"
		if t.written == t.term && (slices.Contains(things, list[len(list)-1]) || slices.ContainsFunc(list, joins) || begins) {
			return maintain.Task{}, false
		}
	}
	return checked(maintain.Task{Kind: maintain.Term, From: from, To: to, Files: g.filesOf(scope)})
}

// movesOf returns the moves that a clause reports. It takes them from pairs of a match's groups.
func (g *grammar) movesOf(m []string) (out []maintain.Move, ok bool) {
	for i := 1; i+2 < len(m); i += 3 {
		if m[i] == "" {
			continue
		}
		out = append(out, maintain.Move{From: page(m[i]), To: page(m[i+1])})
		for _, p := range g.pair.FindAllStringSubmatch(m[i+2], -1) {
			out = append(out, maintain.Move{From: page(p[1]), To: page(p[2])})
		}
	}
	for _, p := range out {
		if p.From == "" || p.To == "" || strings.Contains(p.From+p.To, "://") ||
			slices.Contains(things, strings.ToLower(p.From)) {
			return nil, false
		}
	}
	return out, len(out) > 0
}

func page(s string) string { return strings.TrimRight(unquote(s), ".,") }

// checked returns a task and whether it is valid.
func checked(t maintain.Task) (maintain.Task, bool) {
	raw, err := encode(t)
	if err != nil {
		return maintain.Task{}, false
	}
	_, err = maintain.Parse(raw)
	return t, err == nil
}
