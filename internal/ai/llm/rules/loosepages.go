package rules

import (
	slashes "path"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Actions on paths: deletions, moves, redirects and links.

var (
	dropsRedirect = lazyregexp.New(` delete(?: (?:old|existing|current|stale|permanent|legacy|unused|any|all|[PFG]\d+))*` +
		` redirect\b| unredirect\b` +
		`| redirect(?: (?:from|for|of|at|on))*(?: [PFG]\d+)?(?: [a-z]+){0,2}? (?:delete|go away)\b`)
)

// noRedirect finds an address whose redirect should be removed.
func (l *looseReading) noRedirect() bool {
	if !dropsRedirect.MatchString(l.text) {
		return false
	}
	list := l.all(l.text, "PFG")
	if len(list) == 0 {
		return l.ask("From which address should the redirect be removed? Write for example: `remove the redirect from /old`.")
	}
	return l.add(maintain.Task{Kind: maintain.NoRedirects, Files: []string{"/" + cleanPath(l.address(list[0]))}}, list...)
}

var (
	deletes       = lazyregexp.New(` delete` + fillers + things2 + `(?: ([a-z]+))?`)
	shallDie      = lazyregexp.New(things2 + `(?: page)?(?: [a-z'-]+){0,3}? (?:(?:shall )?delete|shall (?:go|gone|die)(?: away)? (?:[,.;!?)]|and|with|because|since|as|now|soon))(?: |$)`)
	dieIt         = lazyregexp.New(` delete (?:it|page|them|file)\b| (?:it|page) (?:shall delete|shall go (?:[,.;!?)]|and|with|because|since|as|now|soon))`)
	sends         = lazyregexp.New(` (?:redirect|send|land|end up|forward)\b`)
	deleteNowhere = lazyregexp.New(` delete` + fillers + ` (P\d+)\b`)
	leadTo        = lazyregexp.New(` (?:redirect|send|sent|point|land|lead|leads|direct|arrive|end up|go|goes|take|bring|route|use` +
		`|see|refer)` + some + `(?: [a-z]+)? (?:to|on|at|towards|onto|->) (?:page )?([GQP]\d+)\b`)
	inFavour = lazyregexp.New(` (?:in favou?r of|replaced by|superseded by|covered by|covered in|covered on|obsoleted by)` +
		` ([GQ]\d+)\b| ([GQ]\d+) instead\b`)
)

// deletion finds pages to delete and their replacements.
func (l *looseReading) deletion() bool {
	var marks []int
	for _, f := range []*lazyregexp.Regexp{deletes, shallDie} {
		if m := f.FindStringSubmatch(l.text); m != nil && len(marks) == 0 {
			marks = l.all(m[1], "GQ")
		}
	}
	if m := dieIt.FindString(l.text); m != "" && len(marks) == 0 {
		if n := l.before("it", m); n >= 0 {
			marks = []int{n}
		} else {
			return l.ask("Which page should be deleted, and where should its readers go? Write for example: " +
				"`delete guides/old.mdx and redirect it to guides/new`.")
		}
	}
	if m := deleteNowhere.FindStringSubmatch(l.text); m != nil && len(marks) == 0 && l.folder != nil {
		return l.ask("There is no page " + code(l.marks[at(m[1])].raw) + ". Which page should be deleted?")
	}
	if len(marks) == 0 {
		return false
	}
	to, dest := "", -1
	for _, f := range []*lazyregexp.Regexp{leadTo, inFavour} {
		for _, m := range f.FindAllStringSubmatch(l.text, -1) {
			n := at(m[1] + strings.Join(m[2:], ""))
			if dest >= 0 || slices.Contains(marks, n) || l.marks[n].kind == pathMark {
				continue
			}
			if name, ok := l.page(n); ok {
				to, dest = name, n
			}
		}
	}
	if dest < 0 && sends.MatchString(l.text) {
		return l.ask("Which page should readers of the deleted page be sent to? Write for example: `delete guides/old.mdx and redirect it to guides/new`.")
	}
	var moves []maintain.Move
	for _, n := range marks {
		name, ok := l.page(n)
		if !ok || l.marks[n].kind == folderMark {
			return false
		}
		moves = append(moves, maintain.Move{From: name, To: to})
	}
	if dest >= 0 {
		marks = append(marks, dest)
	}
	l.takeWords("redirect", "land", "send", "delete", "remove", "drop", "retire", "kill", "throw", "scrap", "bin it", "rid of")
	return l.add(maintain.Task{Kind: maintain.DeletePages, Moves: moves}, marks...)
}

var (
	relocates = []*lazyregexp.Regexp{
		lazyregexp.New(` (?:move|change|url)` + fillers + things2 + `(?: url)?(?: from [PG]\d+)?` + some + ` (?:to|into|under|as|in` +
			`|inside|below|within|->|become|becomes|at)` + target + ` ([PFQGC]\d+|[a-z][a-z0-9-]*)\b`),
		lazyregexp.New(` add` + fillers + things2 + some + ` (?:into|under|inside|below|within|in|to)` + target + ` ([PF]\d+)\b`),
		lazyregexp.New(things2 + `(?: url| page)?` + some + ` (?:shall|belongs?|fits?)(?: [a-z'-]+){0,5}? (?:to|into|under|as|in` +
			`|inside|below|within|at|become|becomes|called|named|with)` + target + ` ([PF]\d+)\b`),
		lazyregexp.New(things2 + ` ?(?:->|become|becomes) ` + target + `([PF]\d+)\b`),
		lazyregexp.New(things2 + ` shall (?:become )?` + target + `([PF]\d+)\b`),
		lazyregexp.New(things2 + ` shall` + some + ` (?:move|become)` + some + ` (?:to|into|under|as|at) ` + target + `([PF]\d+)\b`),
		lazyregexp.New(`(?:^|[.:!?])` + things2 + ` (?:to|->) (P\d+)\b`),
		lazyregexp.New(things2 + ` url shall ` + target + `([PF]\d+)\b`),
		lazyregexp.New(things2 + ` (?:go|goes|move|moves) (?:to|into|under|below|inside)` + target + ` ([PF]\d+)\b`),
		lazyregexp.New(` move` + fillers + things2 + ` ([PF]\d+)\b`),
	}
	redirects   = lazyregexp.New(` redirect` + some + ` [PFG]\d+|[PFG]\d+` + some + ` redirect`)
	newPlace    = lazyregexp.New(` (?:new (?:url|home)|relocation)\b| G\d+ shall move \.`)
	moveIt      = lazyregexp.New(`^[ .]*move (?:it|page|them|guide|file|folder|one)?[ .?!]*$`)
	moveOnly    = lazyregexp.New(` move` + fillers + things2)
	fromNowhere = lazyregexp.New(` move` + fillers + ` (P\d+)` + some + ` (?:to|into|under|as|->) ([PFG]\d+)`)
	moveTo      = lazyregexp.New(` move (?:it|page|this)` + some + ` (?:to|into|under|as)` + target + ` ([PF]\d+)\b`)
	aSlug       = lazyregexp.New(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	noSlugs     = ` it them there here another new other different own same one end top bottom start beginning front back` +
		` page pages folder more better `
)

// relocation finds pages and folders to move.
func (l *looseReading) relocation() bool {
	if redirects.MatchString(l.text) && !strings.Contains(l.text, " move ") {
		return false
	}
	for _, f := range relocates {
		for _, m := range f.FindAllStringSubmatch(l.text, -1) {
			if l.move(l.all(m[1], "GFQ"), m[2], strings.HasPrefix(m[0], " move"), inFolder.MatchString(m[0])) {
				return true
			}
		}
	}
	if from, to := l.all(l.text, "G"), l.all(l.text, "P"); len(from) == 1 && len(to) == 1 && newPlace.MatchString(l.text) && !l.names("QFVIU") &&
		l.move(from, "P"+strconv.Itoa(to[0]), true, false) {
		return true
	}
	if m := moveTo.FindStringSubmatch(l.text); m != nil {
		if n := l.before("it", m[0]); n >= 0 && l.move([]int{n}, m[1], true, inFolder.MatchString(m[0])) {
			return true
		}
		return l.ask("Which page should be moved to " + code(l.marks[at(m[1])].raw) + "?")
	}
	if m := fromNowhere.FindStringSubmatch(l.text); m != nil && l.folder != nil && len(l.tasks) == 0 {
		return l.ask("There is no page " + code(l.marks[at(m[1])].raw) + ". Which page should be moved to " + code(l.rawOf(m[2])) + "?")
	}
	if moveIt.MatchString(l.text) && len(l.all(l.text, "GFPQCVIU")) == 0 {
		return l.ask("Which page, and what is its new path? Write for example: `move guides/start.mdx to start/install.mdx`.")
	}
	if m := moveOnly.FindStringSubmatch(l.text); m != nil {
		if list := l.all(m[1], "GF"); len(list) > 0 && len(l.all(l.text, "PFGQ")) == len(list) {
			if name, ok := l.page(list[0]); ok {
				return l.ask("What is the new path of " + code(name) + "? Write for example: `move " + name + " to archive/" + slashes.Base(name) + "`.")
			}
		}
	}
	return false
}

var inFolder = lazyregexp.New(` (?:under|into|inside|below|within)(?: [a-z]+)* [PFQ]\d+$`)

// move adds moves to a target: a path, a folder, or another name in the same folder.
func (l *looseReading) move(from []int, target string, moves, below bool) bool {
	to, into, marks := "", false, slices.Clone(from)
	if markName.MatchString(target) {
		n := at(target)
		m := l.marks[n]
		to = strings.Trim(m.raw, "/")
		switch {
		case l.used[n] || slices.Contains(from, n) || m.kind == pageMark:
			return false
		case m.kind == folderMark:
			into = true
		case m.kind == pathMark && below && slashes.Ext(to) == "":
			into = !slices.ContainsFunc(from, func(n int) bool {
				name, _ := l.page(n)
				return slashes.Base(cleanPath(name)) == slashes.Base(to)
			})
		case m.kind == quoteMark || m.kind == nameMark:
			if !moves || !aSlug.MatchString(to) {
				return false
			}
		}
		marks = append(marks, n)
	} else if to = target; !moves || !aSlug.MatchString(to) || strings.Contains(noSlugs, " "+to+" ") || len(from) != 1 {
		return false
	}
	var list []maintain.Move
	for _, n := range from {
		name, ok := l.page(n)
		if !ok {
			return false
		}
		dest := to
		folder := l.marks[n].kind == folderMark
		switch {
		case folder: // renamed to the path, not moved into it
		case into:
			dest = slashes.Join(to, slashes.Base(name))
		case !strings.Contains(to, "/") && !isPath(to) && !strings.HasPrefix(l.rawOf(target), "/"):
			dest = slashes.Join(slashes.Dir(name), to)
		}
		if ext := slashes.Ext(name); !folder && slashes.Ext(dest) == "" && ext != "" {
			dest += ext
		}
		if dest == name || len(from) > 1 && !into {
			return false
		}
		list = append(list, maintain.Move{From: name, To: dest})
	}
	if len(list) == 0 {
		return false
	}
	l.takeWords("move", "rename")
	return l.add(maintain.Task{Kind: maintain.MovePages, Moves: list}, marks...)
}

func (l *looseReading) rawOf(target string) string {
	if markName.MatchString(target) {
		return l.marks[at(target)].raw
	}
	return target
}

var (
	leadsOn = lazyregexp.New(` ([PF]\d+)(?: [a-z'-]+| ,){0,6}? (?:land|lands|lead|leads|point|points|send|go|goes|arrive|end up` +
		`|take|takes|bring|get|see|reach|open|opens|resolve|sent|redirect|redirects)` + some + ` (?:to|on|at|onto|in|towards)?` +
		` ?(?:page )?([GQ]\d+)\b`)
	sendsOn = lazyregexp.New(` (?:land|lead|point|send|direct|redirect|route)` + some + `(?: (?:from|for|of|on|at|visiting|who` +
		` (?:visit|open|type)))?` + some + ` ([PF]\d+)` + some + ` (?:to|on|at|->|towards) ([GQ]\d+)\b`)
	getsIt = lazyregexp.New(` (?:opens?|visits?|types?|typing|enters?|requests?|goes to|go to|comes to|come to) ([PF]\d+)(?:` +
		` [a-z'-]+| ,){0,5}? (?:shall|gets?|sees?|reach(?:es)?)(?: [a-z]+)? ([GQ]\d+)\b`)
	onePair = lazyregexp.New(` ([PF]\d+) (?:to|->|for) ([GQP]\d+)\b`)
)

// redirection finds addresses that should redirect to pages.
func (l *looseReading) redirection() bool {
	word := strings.Contains(l.text, " redirect ")
	if l.tasks != nil || strings.Contains(l.text, " link ") && !word {
		return false
	}
	var moves []maintain.Move
	var marks []int
	take := func(from, to int) {
		if l.used[from] || l.used[to] || slices.Contains(marks, from) {
			return
		}
		if name, ok := l.page(to); ok {
			moves, marks = append(moves, maintain.Move{From: "/" + cleanPath(l.marks[from].raw), To: "/" + cleanPath(name)}), append(marks, from, to)
		}
	}
	for _, f := range []*lazyregexp.Regexp{leadsOn, sendsOn, getsIt} {
		for _, m := range f.FindAllStringSubmatch(l.text, -1) {
			take(at(m[1]), at(m[2]))
		}
	}
	if word {
		for _, m := range onePair.FindAllStringSubmatch(l.text, -1) {
			take(at(m[1]), at(m[2]))
		}
		from, to := l.all(l.text, "PF"), l.all(l.text, "G")
		if len(moves) == 0 && len(from) == 1 && len(to) == 1 {
			take(from[0], to[0])
		}
		if len(moves) == 0 && len(l.all(l.text, "U")) == 0 {
			switch {
			case len(from) == 1 && len(to) == 0:
				return l.ask("Which page should " + code(l.marks[from[0]].raw) + " lead to? Write for example: `add a redirect from " +
					"/" + cleanPath(l.marks[from[0]].raw) + " to /guides/start`.")
			case len(from) == 0 && len(to) == 0:
				return l.ask(whichRedirect)
			case len(from) == 0 && len(to) == 1:
				return l.ask("Which address should lead to " + code(l.address(to[0])) + "? Write for example: `add a redirect from /old to /" +
					cleanPath(l.address(to[0])) + "`.")
			}
		}
	}
	if len(moves) == 0 {
		return false
	}
	l.takeWords("redirect")
	return l.add(maintain.Task{Kind: maintain.Redirects, Moves: moves}, marks...)
}

var (
	linkTo    = lazyregexp.New(` link(?: [a-z'-]+){0,3}? (?:to|at|for) ([PG]\d+)\b`)
	scopeOf   = lazyregexp.New(` (?:in|on|of|at|within|inside|for) ([GF]\d+)\b`)
	destOf    = lazyregexp.New(` (?:to|at|->|with|towards|by) (?:link to )?([GQ]\d+)\b`)
	linksFrom = lazyregexp.New(` ([GF]\d+)(?: page)?(?: still| has)? link `)
	linkBad   = lazyregexp.New(` link .*(?:broken|fix)\b|(?:broken|fix|check)\b.* link `)
)

// repoint finds links that should lead to another page.
func (l *looseReading) repoint() bool {
	m := linkTo.FindStringSubmatch(l.text)
	if m == nil || l.tasks != nil {
		return false
	}
	from := at(m[1])
	_, rest, _ := strings.Cut(l.text, m[0])
	var scope []int
	for _, s := range append(scopeOf.FindAllStringSubmatch(l.text, -1), linksFrom.FindAllStringSubmatch(l.text, -1)...) {
		scope = append(scope, l.all(s[1], "GF")...)
	}
	for _, d := range destOf.FindAllStringSubmatch(rest, -1) {
		to := at(d[1])
		name, ok := l.page(to)
		if !ok || to == from {
			continue
		}
		scope = slices.DeleteFunc(scope, func(n int) bool { return n == to || n == from })
		t := maintain.Task{Kind: maintain.FixLinks, Files: l.files(scope),
			Moves: []maintain.Move{{From: "/" + cleanPath(l.address(from)), To: "/" + cleanPath(name)}}}
		l.takeWords("link")
		return l.add(t, append(scope, from, to)...)
	}
	return false
}

// onlyChores reports whether nothing found so far handles links itself, so that another chore may be meant too.
func (l *looseReading) onlyChores() bool {
	return !slices.ContainsFunc(l.tasks, func(t maintain.Task) bool { return len(t.Moves) > 0 || t.From != "" || t.Text != "" })
}

// links finds requests to fix broken links.
func (l *looseReading) links() bool {
	if !l.onlyChores() || !linkBad.MatchString(l.text) {
		return false
	}
	scope := l.all(l.text, "GF")
	if m := linkTo.FindStringSubmatch(l.text); m != nil { // the new target is not where the link is
		scope = slices.DeleteFunc(scope, func(n int) bool { return n == at(m[1]) })
		if len(scope) == 0 {
			return false
		}
	}
	var placed []int
	for _, m := range scopeOf.FindAllStringSubmatch(l.text, -1) {
		placed = append(placed, l.all(m[1], "GF")...)
	}
	if len(placed) > 0 {
		scope = placed
	}
	if more := l.all(l.text, "PQ"); len(more) > 0 || len(l.all(l.text, "GF")) > len(scope) && strings.Contains(l.text, " shall ") {
		return l.ask("Which address does this link have now, and which page should it lead to? Write for example: `point links to /old to /new`.")
	}
	if len(scope) == 0 && l.names("GF") {
		return false // the target is missing
	}
	l.takeWords("link", "404", "anchor")
	return l.add(maintain.Task{Kind: maintain.FixLinks, Files: l.files(scope)}, scope...)
}
