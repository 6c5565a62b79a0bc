package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
)

// Requests with an old and a new thing in them.
const (
	versionText = `["'` + "`" + `]?(v?[0-9]+(?:\.[0-9]+)+(?:[-+.][0-9A-Za-z.+-]*[0-9A-Za-z])?|v[0-9]+)["'` + "`" + `]?`
	become      = `(?: to| with| by| ?->| into)`
	versioning  = `(?:bump|update|upgrade|raise|increase|change|set|replace|switch|move|version bump:?)`
	versionNoun = `(?:(?:all|every|each|any|the|our|docs?|documentation|package|product|release|current|latest|tool|cli|sdk|api|of|mentions?|occurrences?|` +
		`instances?|references?|uses|version|versions|number|numbers|string|strings|to) )*`

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
	redirect = `(?:(?:a|an|the|any|some|all|every|our|missing|needed|necessary|appropriate|permanent|matching|corresponding) )*redirects?(?: rules?)?`
	forIt    = `(?: for (?:it|them|that|this|those|these|that move|the move))?`
	joint    = `[,:;.]?(?: -| –)?(?: and| so| then| therefore)?(?: ` + pr + `)*,? `
	oldOnes  = `(?: (?:for|after|from) ` + det +
		`(?:recently )?(?:moved|renamed|old|relocated|page|deleted)(?: (?:pages?|files?|moves?|paths?|urls?|` +
		`addresses|locations?))?| after ` + det +
		`(?:moves?|restructuring|reorgani[sz]ation|reorg|renames?|migration))?`
)

// followUp is what a move does anyway.
const followUp = `,? (?:and|then|and then) (?:(?:also|please) )*(?:(?:update|fix|adjust|correct|change) ` + det +
	`(?:links?|references?|navigation|nav|sidebar|imports?|docs\.json)(?:(?:,| and|, and) ` + det +
	`(?:links?|references?|navigation|nav|sidebar|imports?|redirects?|docs\.json))*(?: (?:to|pointing to|that point to|for) (?:it|them|the page))?` +
	`|(?:add|create|set up|leave|keep) ` + redirect + forIt + `(?: from (?:the )?old (?:path|address|url|location))?)`

// pairs are the wordings of such requests.
type pairs struct {
	versions, renames, replaces, instead, moves, redirects, bare *regexp.Regexp
	movedThen, renamedThen, renamed, pair                        *regexp.Regexp
	update, relocates                                            *regexp.Regexp
}

func newPairs() pairs {
	renamed := `(?:(?:i|we) (?:(?:have|just|recently) )*|(?:i've|we've) (?:just |recently )?)renamed ` + the + noun +
		term + ` to ` + the + noun + term +
		`|` + the + noun + term + ` (?:is|are) now (?:called|named|known as) ` + the + noun + term
	updating := `(?:update|change|adjust|fix|rename (?:it|this|that)|replace (?:it|this|that)|reflect (?:it|this|that))(?: (?:it|this|that))?(?: (?:in|on|` +
		`across|throughout))?(?: ` + whole + `)?`
	return pairs{
		versions: form(versioning + ` ` + versionNoun + `(?:from )?(?:version )?` + versionText + become +
			` (?:version )?` + versionText + tail),
		renames: form(`rename ` + every + the + noun + term + `(?: everywhere)?(?: to| as| into| ?->) ` + the +
			noun + term + tail),
		replaces: form(`(?:replace|substitute|change|swap) ` + every + the + noun + term +
			`(?: to| with| by| into| for| ?->) ` + the + noun + term + tail),
		instead: form(`use ` + the + noun + term + ` (?:instead of|in place of|rather than) ` + the + noun + term +
			tail),
		relocates: form(`(?:move|rename|relocate) ` + thing + place + `(?: to| into| under| ?->) ` + thing + place + more2 +
			`(?:` + followUp + `|` + fill + `)*`),
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

// things are words for what is no term: to give one of these another name is another task.
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

// termTask makes a task of article, noun and term, twice. Of careful wordings, which are used for other things too,
// unquoted terms must look like names or be called terms.
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
	for _, t := range []struct{ written, term string }{{m[2], from}, {m[5], to}} {
		list := strings.Fields(strings.ToLower(t.term))
		if len(list) == 0 || strings.ContainsAny(t.term, "/\\") || strings.HasSuffix(t.term, ".mdx") ||
			strings.HasSuffix(t.term, ".md") {
			return maintain.Task{}, false
		}
		joins := func(w string) bool { return w == "and" || w == "or" || w == "to" || w == "with" }
		if t.written == t.term && (slices.Contains(things, list[len(list)-1]) || slices.ContainsFunc(list, joins)) {
			return maintain.Task{}, false
		}
	}
	return checked(maintain.Task{Kind: maintain.Term, From: from, To: to, Files: g.filesOf(scope)})
}

// moves reads the pages that a clause says have moved, from pairs of groups of a match.
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
		if p.From == "" || p.To == "" || strings.Contains(p.From+p.To, "://") {
			return nil, false
		}
	}
	return out, len(out) > 0
}

func page(s string) string { return strings.TrimRight(unquote(s), ".,") }

// checked returns a task if upkeep takes it.
func checked(t maintain.Task) (maintain.Task, bool) {
	raw, err := encode(t)
	if err != nil {
		return maintain.Task{}, false
	}
	_, err = maintain.Parse(raw)
	return t, err == nil
}
