package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Actions on texts: entries of the changelog, alt texts, descriptions, versions, terms and formatting.

var (
	logPlain = lazyregexp.New(`(?i)\b(?:changelog|change log|release notes?|what's new)\b`)
	logAfter = lazyregexp.New(`(?i)\b(?:changelog|change log|release notes?|what's new)\b[^:"\n]{0,60}?(?:: *| [-–] )(.+)`)
	logThat  = lazyregexp.New(`(?i)\b(?:changelog|change log|release notes?)\b[^.":\n]{0,40}? (?:that|saying|stating|says|about) (.+)`)
	logTo    = lazyregexp.New(`(?i)\b(?:add|mention|note|log|record|put|include|write|say)(?: that| the following|:)* (.+?),?` +
		` (?:in|to|into|on|under) (?:the |our )?(?:changelog|change log|release notes)\b`)
	logColon = lazyregexp.New(`^[ .]*newslog(?: ,)?(?: version)?(?: V\d+)? :`) // "Changelog 1.2.3: …"
	logVerb  = lazyregexp.New(` (?:add|say|says|mention|entry|item|line|bullet|shall)\b`)
)

// logEntry finds an entry for the changelog.
func (l *looseReading) logEntry() bool {
	if !strings.Contains(l.text, " newslog ") || !logVerb.MatchString(l.text) && !logColon.MatchString(l.text) {
		return false
	}
	t := maintain.Task{Kind: maintain.Changelog}
	var marks []int
	versions := l.all(l.text, "V")
	text := ""
	if quotes := l.all(l.text, "Q"); len(quotes) == 1 {
		text, marks = l.marks[quotes[0]].raw, quotes
	}
	for _, f := range []*lazyregexp.Regexp{logAfter, logThat, logTo} {
		if m := f.FindStringSubmatch(l.prompt); m != nil && (text == "" || f != logAfter && len(marks) > 0 && strings.Contains(m[1], text)) {
			text, _, _ = strings.Cut(strings.TrimSpace(m[1]), "\n")
			if s := split(text); len(s) > 0 && f != logAfter {
				text = strings.TrimRight(strings.TrimSpace(s[0]), ".!?;")
			}
			if s := split(text); f == logAfter && len(s) > 1 { // the rest may be about the entry
				text = strings.TrimSpace(s[0])
			}
		}
	}
	if len(versions) == 1 && !strings.Contains(text, l.marks[versions[0]].raw) {
		t.To, marks = l.marks[versions[0]].raw, append(marks, versions[0])
	}
	if t.Text = strings.TrimSpace(unquote(text)); t.Text == "" {
		return l.ask("What should the changelog entry say? Write for example: `add a changelog entry for 1.3.0: Exports can be scheduled`.")
	}
	for i, c := range l.clauses { // the text belongs to the entry
		if strings.Contains(t.Text, c.text) || logPlain.MatchString(c.text) {
			l.clauses[i].used = true
		}
	}
	if !l.add(t, marks...) {
		return false
	}
	for _, n := range l.all(l.text, "GPFQCVIU") {
		if l.clauses[l.marks[n].clause].used {
			l.used[n] = true
		}
	}
	return true
}

var (
	afterColon = lazyregexp.New(`(?is)\b(?:descriptions?|alt(?:ernative)?(?:[- ]?texts?)?|use|take|say|read|this)\b[^:"]{0,30}: *([^\n]+)`)
	everyOne   = lazyregexp.New(`(?i)\b(?:all|every|each|any|whole|everywhere|everything|missing|without|lack(?:s|ing)?|none|no)\b` +
		`|\b(?:pages|images|pictures|screenshots)\b`)
)

// outside drops the marks inside a given text.
func (l *looseReading) outside(marks []int, text string) []int {
	return slices.DeleteFunc(marks, func(n int) bool {
		c := l.clauses[l.marks[n].clause].text
		return text != "" && strings.Contains(text, l.marks[n].raw) && (strings.Contains(text, c) || strings.HasSuffix(c, text) || l.marks[n].kind == folderMark)
	})
}

// givenText returns the text that a request contains, and the mark of its quotation, which is -1 if it is not quoted.
func (l *looseReading) givenText() (string, int) {
	for _, n := range l.all(l.text, "Q") {
		return l.marks[n].raw, n
	}
	if m := afterColon.FindStringSubmatch(l.prompt); m != nil && !isPath(strings.Fields(m[1] + " x")[0]) {
		return strings.TrimSpace(m[1]), -1
	}
	return "", -1
}

// altText finds images that need alt text.
func (l *looseReading) altText() bool {
	if !strings.Contains(l.text, " alt ") {
		return false
	}
	text, quote := l.givenText()
	images, pages := l.all(l.text, "I"), l.outside(l.all(l.text, "GF"), text)
	t := maintain.Task{Kind: maintain.AltText, Files: l.files(pages)}
	marks := append(slices.Clone(images), pages...)
	if text != "" {
		switch {
		case len(t.Files) == 0 && len(images) == 1:
			return l.ask("Which page shows " + code(l.marks[images[0]].raw) + "? Name it by its path, such as `guides/start.mdx`.")
		case len(t.Files) == 0 && quote >= 0 && strings.Contains(l.text, " image "):
			return l.ask("Which page shows the image? Name it by its path, such as `guides/start.mdx`.")
		case len(t.Files) != 1:
			return false
		}
		if len(images) == 1 {
			t.From = strings.TrimLeft(l.marks[images[0]].raw, "./")
		}
		if quote >= 0 {
			marks = append(marks, quote)
		}
		t.Text = text
		l.takeText(text)
		return l.add(t, marks...)
	}
	if len(images) > 0 || len(t.Files) == 0 && !everyOne.MatchString(l.prompt) {
		return false
	}
	l.takeWords("alt", "image", "picture", "screenshot")
	return l.add(t, marks...)
}

// takeText marks the parts of a given text as used.
func (l *looseReading) takeText(text string) {
	for i, c := range l.clauses {
		if c.text != "" && strings.Contains(text, c.text) {
			l.clauses[i].used, l.clauses[i].apart = true, false
			for n, m := range l.marks {
				l.used[n] = l.used[n] || m.clause == i
			}
		}
	}
}

// takeWords marks the parts of the prompt that contain a word as used.
func (l *looseReading) takeWords(words ...string) {
	for i, c := range l.clauses {
		low := strings.ToLower(c.text)
		if !c.apart && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(low, w) }) {
			l.clauses[i].used = true
		}
	}
}

var describes = lazyregexp.New(` (?:add|set|change|give|lacks|use|shall|want|fix|replace|->)\b| description(?: (?:of|for|on))?(?: [GF]\d+)? :`)

// description finds pages that need a description, or the text of one.
func (l *looseReading) description() bool {
	if !strings.Contains(l.text, " description ") || !describes.MatchString(l.text) {
		return false
	}
	text, quote := l.givenText()
	pages := l.outside(l.all(l.text, "GF"), text)
	t := maintain.Task{Kind: maintain.Descriptions, Files: l.files(pages)}
	if text != "" {
		if len(t.Files) != 1 {
			if len(t.Files) == 0 {
				return l.ask("Which page should get the description " + code(text) + "?")
			}
			return false
		}
		t.Text = text
		l.takeText(text)
		if quote >= 0 {
			pages = append(pages, quote)
		}
		return l.add(t, pages...)
	}
	if strings.Contains(l.text, " change description") || len(t.Files) == 0 && !everyOne.MatchString(l.prompt) {
		return false
	}
	l.takeWords("description")
	return l.add(t, pages...)
}

var changesVersion = lazyregexp.New(` (?:change|replace|move|shall|instead of|now|out|released|shipped|published|still|is|to` +
	`|not|current|latest|newest|add)\b| -> `)

var versionPair = lazyregexp.New(` V\d+(?: version)? (?:to|->|with|by)(?: version)? V\d+ `)

var bumps = lazyregexp.New(` change (?:[a-z]+ )?versions?\b`)

// version finds a version and its replacement.
func (l *looseReading) version() bool {
	list := l.all(l.text, "V")
	distinct := slices.Clone(list)
	distinct = slices.DeleteFunc(distinct, func(n int) bool {
		return slices.ContainsFunc(list, func(o int) bool { return o < n && l.marks[o].raw == l.marks[n].raw })
	})
	if l.tasks != nil || !changesVersion.MatchString(l.text) && !bumps.MatchString(l.text) {
		return false
	}
	if len(distinct) == 1 && strings.Contains(l.text, " change ") && len(l.all(l.text, "QCP")) == 0 {
		return l.ask("Which version should become " + code(l.marks[distinct[0]].raw) + ", or what should it become? Write for example: `bump version 1.2.3 to 1.3.0`.")
	}
	if len(distinct) == 0 && bumps.MatchString(l.text) {
		return l.ask("From which version to which? Write for example: `bump version 1.2.3 to 1.3.0`.")
	}
	if len(distinct) != 2 {
		return false
	}
	from, to := distinct[0], distinct[1]
	if older(l.marks[to].raw, l.marks[from].raw) && !versionPair.MatchString(l.text) { // versions increase unless the request says otherwise
		from, to = to, from
	}
	scope := l.scope()
	l.takeWords("version", "release", "firmware", "bump", "update", "replace", "change")
	return l.add(maintain.Task{Kind: maintain.Version, From: l.marks[from].raw, To: l.marks[to].raw, Files: l.files(scope)}, append(scope, list...)...)
}

// older reports whether a version precedes another.
func older(a, b string) bool {
	x, y := strings.Split(strings.TrimPrefix(a, "v"), "."), strings.Split(strings.TrimPrefix(b, "v"), ".")
	for i := 0; i < len(x) && i < len(y); i++ {
		n, errN := strconv.Atoi(x[i])
		m, errM := strconv.Atoi(y[i])
		if errN != nil || errM != nil || n != m {
			return n < m
		}
	}
	return len(x) < len(y)
}

// scope returns the pages and folders that a change is limited to.
func (l *looseReading) scope() []int { return l.all(l.text, "GF") }

var (
	newCue = `(?: (?:to|with|by|into|make it|make them|use|using|say|saying|write|prefer|become|becomes|now|call it|called|named|as|shall` +
		`|read|spelled|correct|->|new|want|renamed|reads|it's))(?: (?:term|word|phrase|name|is|read|say|become|called|it` +
		`|spelled|written|version|now|at|as|use))* $`
	oldCue = `(?: (?:instead of|not|has|contains|replace|change|move|from|still|says|uses|mentions|mention|reads|avoid|longer|old` +
		`|over|stop saying|stop using|was|fix|delete|of|for|find|wrong|before|previously|currently|than))(?: (?:term|word` +
		`|phrase|name|is|say|says|use|uses|using|saying|mention|mentions|mentioning|version|all|every|occurrences|mentions|of` +
		`|it|at|still|product|writing|calling))* $`
	isNew      = lazyregexp.New(newCue)
	isOld      = lazyregexp.New(oldCue)
	becomesNew = lazyregexp.New(`^ (?:is now|now is|now called|shall|->|to|with|by|into|wasmoved|become|becomes|is called|is` +
		` broken|is outdated|is old|is gone)\b`)
	staysNew = lazyregexp.New(`^ (?:instead of|is out|is released|is current|is newest|is latest|is correct|is right|not|now)\b`)
)

// asIs matches words that introduce the current text of the docs.
var asIs = lazyregexp.New(` (?:we|docs|it|they|page|pages|text|currently|still|[GF]\d+) (?:still )?(?:say|says|use|uses|read` +
	`|reads|call it|calls it|write|writes|mention|mentions) $`)

// direction decides from the words around two marks which one replaces the other. ok is false if the words do not
// decide it.
func (l *looseReading) direction(a, b int) (from, to int, ok bool) {
	score := func(n int) (s int) { // positive: it is the new one
		name := string(l.marks[n].kind) + strconv.Itoa(n)
		before, after, _ := strings.Cut(l.text, " "+name+" ")
		before, after = before+" ", " "+after
		if isNew.MatchString(before) {
			s += 2
		}
		if isOld.MatchString(before) || asIs.MatchString(before) {
			s -= 2
		}
		if becomesNew.MatchString(after) {
			s--
		}
		if staysNew.MatchString(after) {
			s++
		}
		return s
	}
	x, y := score(a), score(b)
	switch {
	case x < y:
		return a, b, true
	case y < x:
		return b, a, true
	}
	return a, b, false
}

// pair returns two names, the old one and the new one.
func (l *looseReading) pair(kinds ...string) (from, to int, ok bool) {
	for _, kinds := range kinds {
		list := l.all(l.text, kinds)
		if len(list) == 2 {
			from, to, ok = l.direction(list[0], list[1])
			return from, to, ok || strings.Contains(l.text, " change ") || strings.Contains(l.text, " replace ") || strings.Contains(l.text, " move ")
		}
	}
	return 0, 0, false
}

var (
	wordPair = []*lazyregexp.Regexp{
		lazyregexp.New(` replace(?: (?:all|every|each|any|word|term|words|terms|occurrences|mentions|instances|of))*` +
			` ([a-z][a-z'-]*(?: [a-z][a-z'-]*)?) (?:with|by|->)(?: (?:word|term))? ([a-z][a-z'-]*(?: [a-z][a-z'-]*)?)(?:` +
			` (?:everywhere|in|on|across|throughout|for|because|since|,|\.)|$)`),
		lazyregexp.New(` (?:say|use|write|call it|call them|prefer)(?: (?:word|term))? ([a-z][a-z'-]*(?: [a-z][a-z'-]*)?) instead` +
			` of(?: (?:word|term))? ([a-z][a-z'-]*(?: [a-z][a-z'-]*)?)(?: (?:everywhere|in|on|across|throughout|for|because|since|,|\.)|$)`),
		lazyregexp.New(` (?:word|term) ([a-z][a-z'-]*)(?: [a-z'-]+){0,3}? (?:to|with|by|->|become|becomes|shall)(?: (?:word|term` +
			`|become|is|read))* ([a-z][a-z'-]*)(?: (?:everywhere|in|on|across|throughout|for|because|since|,|\.)|$)`),
	}
	arrowWords  = lazyregexp.New(` ([a-z][a-z'-]*) -> ([a-z][a-z'-]*) `)
	changesTerm = lazyregexp.New(` (?:replace|change|move|make it|make them|instead of|shall|call|called|say|says|use|uses|now|become|becomes|spell` +
		`|spelled|spelling|typo|not|rather|want|fix|wasmoved|known as|written|prefer|avoid|stop|broken)\b| -> `)
	ofParts = lazyregexp.New(` (?:heading|headings|title|titles|logo|colou?r|theme|font|name of site|site name|domain|branch` +
		`|function|variable|component|image|alt|description|tab|section|paragraph|sentence|link|url|icon|favicon|nav|above|below)\b`)
)

var pluralOf = lazyregexp.New(` plurals? :? ?(Q\d+) `)

// plural returns the quotation with the plural of the new term, or -1 if no quotation has it.
func (l *looseReading) plural() int {
	if m := pluralOf.FindStringSubmatch(l.text); m != nil {
		l.used[at(m[1])] = true
		return at(m[1])
	}
	return -1
}

// term finds a term and its replacement.
func (l *looseReading) term() bool {
	if l.tasks != nil || !changesTerm.MatchString(l.text) || ofParts.MatchString(l.text) {
		return false
	}
	plural := l.plural()
	from, to, ok := l.pair("Q", "QC", "C")
	if ok {
		if plural >= 0 {
			l.add(maintain.Task{Kind: maintain.Term, From: l.marks[from].raw + "s", To: l.marks[plural].raw, Files: l.files(l.scope())}, plural)
		}
		scope := slices.DeleteFunc(l.scope(), func(n int) bool { return n == from || n == to })
		l.takeWords("replace", "rename", "change", "spell", "typo", "term", "word", "wording", "mention", "occurrence", "update")
		return l.add(maintain.Task{Kind: maintain.Term, From: l.marks[from].raw, To: l.marks[to].raw, Files: l.files(scope)}, append(scope, from, to)...)
	}
	for i, f := range append(slices.Clone(wordPair), arrowWords) {
		m := f.FindStringSubmatch(l.text)
		if m == nil || len(l.all(l.text, "QCVP")) > 0 {
			continue
		}
		old, new := m[1], m[2]
		if i == 1 {
			old, new = new, old
		}
		list := strings.Fields(old + " " + new)
		if slices.ContainsFunc(list, func(w string) bool { return slices.Contains(things, w) || strings.Contains(noNames, " "+w+" ") }) {
			continue
		}
		scope := l.scope()
		l.takeWords(old, new)
		return l.add(maintain.Task{Kind: maintain.Term, From: old, To: new, Files: l.files(scope)}, scope...)
	}
	return false
}

var (
	strongFormat = lazyregexp.New(`(?i)\b(?:format|reformat|autoformat|auto-format|prettify|pretty-print|formatter|formatting)\b`)
	allPages     = lazyregexp.New(` (?:all|every|each|everything|docs|pages|whole|everywhere)\b`)
)

// formatting finds sources to format.
func (l *looseReading) formatting() bool {
	if !l.onlyChores() || !strings.Contains(l.text, " format ") || !strings.Contains(l.text, " markup ") && !strongFormat.MatchString(l.prompt) {
		return false
	}
	scope := l.scope()
	if len(scope) == 0 && (l.names("GF") || !allPages.MatchString(l.text)) || len(l.all(l.text, "QP")) > 0 {
		return false
	}
	l.takeWords("format", "tidy", "clean", "lint", "normali", "prettify", "indent")
	return l.add(maintain.Task{Kind: maintain.Format, Files: l.files(scope)}, scope...)
}
