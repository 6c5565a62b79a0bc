package rules

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Actions on the navigation.

var navPart = lazyregexp.New(`(?i)\b(?:section|heading|category|part)\b`)

var isGroup = lazyregexp.New(` (?:group|category)\b`)

// group finds a request to rename a group of the navigation.
func (l *looseReading) group() bool {
	if !isGroup.MatchString(l.text) && !(strings.Contains(l.text, " nav ") && navPart.MatchString(l.prompt)) {
		return false
	}
	from, to, ok := l.pair("Q", "QC", "C", "QF", "CF")
	if !ok {
		return false
	}
	return l.add(maintain.Task{Kind: maintain.RenameGroup, From: l.marks[from].raw, To: l.marks[to].raw}, from, to)
}

var (
	beside = lazyregexp.New(` ([GQ]\d+|it|page)(?: [a-z'-]+){0,6}? (before|after|above|below|behind|following|underneath|ahead of` +
		`|in front of|under)(?: of)? ([GQ]\d+)\b`)
	orders = lazyregexp.New(` (?:nav|order|come|comes|appear|listed|list)\b`)
)

// place finds a request to put a page next to another one in the navigation.
func (l *looseReading) place() bool {
	if !orders.MatchString(l.text) {
		return false
	}
	m := beside.FindStringSubmatch(l.text)
	if m == nil {
		return false
	}
	other := at(m[3])
	next, ok := l.page(other)
	var name string
	mine := l.before(m[1], m[0])
	if mine < 0 || !ok || mine == other {
		return false
	}
	if name, ok = l.page(mine); !ok {
		return false
	}
	t := maintain.Task{Kind: maintain.Navigation, Files: []string{name}}
	switch m[2] {
	case "before", "above", "ahead of", "in front of":
		t.Before = next
	default:
		t.After = next
	}
	l.takeWords("sidebar", "navigation", "nav", "menu")
	return l.add(t, mine, other)
}

// before returns the mark that a word refers to: the word itself if it is a mark, or for "it" the last page before
// the text.
func (l *looseReading) before(word, text string) int {
	if markName.MatchString(word) {
		return at(word)
	}
	until, _, _ := strings.Cut(l.text, text)
	list := l.all(until+" "+strings.Fields(text + " x")[0], "G")
	if len(list) == 0 {
		return -1
	}
	return list[len(list)-1]
}

var (
	outOfNav = lazyregexp.New(` (?:delete|hide|take)` + fillers + things2 + some + ` (?:from|in|out of|off|of)` + some + ` nav\b`)
	hidden   = lazyregexp.New(things2 + some + ` (?:hide|shall not|not shall|delete|doesn't belong|does not` +
		` belong)` + some + ` (?:in|on|from|of)` + some + ` nav\b`)
	hideIt  = lazyregexp.New(` (?:delete|hide|take) (?:it|entry|them|page)` + some + ` (?:from|in|out of|off)` + some + ` nav\b`)
	hideOne = lazyregexp.New(` hide` + fillers + things2)
)

// unlist finds pages to remove from the navigation.
func (l *looseReading) unlist() bool {
	for _, f := range []*lazyregexp.Regexp{outOfNav, hidden, hideOne} {
		m := f.FindStringSubmatch(l.text)
		if m == nil || f == hideOne && strings.Contains(l.text, " image ") {
			continue
		}
		marks := l.all(m[1], "GFQ")
		if files := l.files(marks); len(files) > 0 && len(files) == len(marks) {
			l.takeWords("sidebar", "navigation", "menu", "nav")
			return l.add(maintain.Task{Kind: maintain.Unlist, Files: files}, marks...)
		}
	}
	if m := hideIt.FindString(l.text); m != "" && !strings.Contains(l.text, " delete G") {
		if n := l.before("it", m); n >= 0 {
			if f, ok := l.page(n); ok {
				l.takeWords("sidebar", "navigation", "menu", "nav")
				return l.add(maintain.Task{Kind: maintain.Unlist, Files: []string{f}}, n)
			}
		}
	}
	return false
}

var (
	intoNav  = lazyregexp.New(` (?:add|move|shall)` + fillers + things2 + some + ` (?:to|in|into|on|from)` + some + ` nav\b`)
	lacksNav = lazyregexp.New(things2 + some + ` (?:lacks|shall|not|want)` + some + ` nav\b`)
	navLacks = lazyregexp.New(` nav` + some + ` (?:lacks|add|not|without)` + some + things2)
	allInNav = lazyregexp.New(` (?:all|every|each|orphan|orphans|orphaned|unlisted|lacks|lost|forgotten)\b.* nav\b| nav .*(?:all` +
		`|every|each|orphan|orphans|orphaned|unlisted|lacks|forgotten) `)
)

// list finds pages to add to the navigation.
func (l *looseReading) list() bool {
	if !strings.Contains(l.text, " nav ") || !l.onlyChores() || slices.ContainsFunc(l.tasks, ofNavigation) {
		return false
	}
	for _, f := range []*lazyregexp.Regexp{intoNav, lacksNav, navLacks} {
		m := f.FindStringSubmatch(l.text)
		if m == nil {
			continue
		}
		marks := l.all(m[1], "GFQ")
		if files := l.files(marks); len(files) > 0 && len(files) == len(marks) {
			l.takeWords("sidebar", "navigation", "menu", "nav")
			return l.add(maintain.Task{Kind: maintain.Navigation, Files: files}, marks...)
		}
	}
	if !l.names("GFPQ") && allInNav.MatchString(l.text) && strings.Contains(l.text, " page") {
		l.takeWords("sidebar", "navigation", "menu", "nav", "page")
		return l.add(maintain.Task{Kind: maintain.Navigation})
	}
	return false
}

func ofNavigation(t maintain.Task) bool {
	return t.Kind == maintain.Navigation || t.Kind == maintain.Unlist
}

// names reports whether the prompt contains marks of these kinds, used or not.
func (l *looseReading) names(kinds string) bool {
	return slices.ContainsFunc(l.marks, func(m mark) bool { return strings.IndexByte(kinds, m.kind) >= 0 })
}
