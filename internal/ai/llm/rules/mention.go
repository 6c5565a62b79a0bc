package rules

import (
	"strings"
	"unicode"
)

// Pages, folders and terms that a prompt names in words.

// namePages marks pages and folders that are described in words: "the rain page", "the guides folder".
func (k *sketch) namePages(list []token, weak bool) (out []token) {
	for i := 0; i < len(list); i++ {
		t, next, last := list[i], token{}, token{}
		if word, ok := strings.CutSuffix(t.low, "'s"); ok && among(pageKinds, word) {
			t.low = word
		}
		if i+1 < len(list) {
			next = list[i+1]
		}
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		join := func(n int, made token) { // combines the last n tokens and this one into one mark
			made.clause, made.first = t.clause, len(out) == n
			out = append(out[:len(out)-n], made)
		}
		switch {
		case t.low == "homepage":
			join(0, homeToken())
		case t.kind == 0 && among(" home landing start front ", t.low) && next.low == "page" &&
			(k.folder == nil || len(k.folder.byName([]string{t.low})) == 0):
			i++
			join(0, homeToken())
		case t.kind == 0 && among(pageKinds, t.low) && len(out) > 0:
			if last.kind == pageMark || last.kind == pathMark { // "the sensors/rain page"
				continue
			}
			if last.kind == quoteMark && (len(last.pages) > 0 || k.folder == nil) {
				out[len(out)-1].kind = pageMark
				continue
			}
			n, pages := k.before(out, t.low)
			if n == 0 {
				out = append(out, t)
				continue
			}
			join(n, token{kind: pageMark, raw: textOf(out[len(out)-n:]), pages: pages})
		case t.low == "docs" && k.folder != nil && last.kind == 0 && len(k.folder.byName([]string{last.low})) > 0:
			join(1, token{kind: pageMark, raw: last.text, pages: k.folder.byName([]string{last.low})})
		case t.kind == quoteMark && len(t.pages) > 0 && among(pageKinds, last.low): // the page "Rain"
			t.kind = pageMark
			out = append(out, t)
		case t.kind == 0 && among(folders, t.low) && (next.low == "called" || next.low == "named") && i+2 < len(list):
			i += 2
			join(0, token{kind: folderMark, raw: unquote(list[i].text)})
		case t.kind == 0 && among(folders, t.low) && (last.kind == folderMark || last.kind == pathMark || last.kind == quoteMark):
			out[len(out)-1].kind = folderMark
		case t.kind == 0 && among(folders, t.low) && last.low != "" && last.kind == 0 && isName(last.low) && !among(noNames, last.low),
			t.kind == 0 && t.low == "section" && k.folder != nil && k.folder.folders[last.low]:
			join(1, token{kind: folderMark, raw: last.low})
		case weak && t.kind == 0 && k.folder != nil && k.folder.folders[t.low] && among(" under into inside below ", last.low):
			t.kind, t.raw = folderMark, t.low
			out = append(out, t)
		default:
			out = append(out, t)
		}
	}
	return out
}

func homeToken() token {
	return token{kind: pageMark, raw: "index", pages: []pageFile{{path: "index", file: "index.mdx"}}}
}

// textOf returns the original text of tokens.
func textOf(list []token) string {
	var words []string
	for _, t := range list {
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// before finds the pages that the words before a word such as "page" describe, using as many words as possible.
func (k *sketch) before(out []token, kind string) (n int, pages []pageFile) {
	for n < 4 && n < len(out) {
		if t := out[len(out)-1-n]; t.kind != 0 || stopsAt.MatchString(t.low) || among(noNames, t.low) {
			break
		}
		n++
	}
	if k.folder == nil {
		return min(n, 3), nil
	}
	for ; n > 0; n-- {
		if pages = k.folder.byWords(wordsOf(textOf(out[len(out)-n:])), kind); len(pages) > 0 {
			return n, pages
		}
	}
	return 0, nil
}

// nameTitles marks titles and names of pages that have several words. Single words count only where they state a page's
// topic or the location of a change; if weak is set, they count everywhere.
func (k *sketch) nameTitles(list []token, weak bool) (out []token) {
	if k.folder == nil {
		return list
	}
	for i := 0; i < len(list); {
		n, pages := k.titleAt(list, i, weak)
		if n == 0 {
			out = append(out, list[i])
			i++
			continue
		}
		raw := textOf(list[i : i+n])
		out = append(out, token{text: raw, kind: pageMark, raw: raw, pages: pages, clause: list[i].clause, first: list[i].first})
		i += n
	}
	return out
}

// titleAt finds the longest page name that starts at a token; n is 0 if no page name starts there.
func (k *sketch) titleAt(list []token, i int, weak bool) (n int, pages []pageFile) {
	if among(noNames, list[i].low) {
		return 0, nil
	}
	subject := about(list, i)
	for n := min(5, len(list)-i); n > 0; n-- {
		whole := true
		for _, t := range list[i : i+n] {
			whole = whole && t.kind == 0 && !stopsAt.MatchString(t.low) && t.clause == list[i].clause
		}
		words := wordsOf(textOf(list[i : i+n]))
		if !whole || len(words) == 0 || n == 1 && !subject && !weak && !placed(list, i) {
			continue
		}
		pages := k.folder.byName(words)
		if subject {
			pages = k.folder.byWords(words, "")
		}
		if len(pages) > 0 {
			return n, pages
		}
	}
	return 0, nil
}

// about reports whether a token starts the topic of a page: "the page on the rain sensor".
func about(list []token, i int) bool {
	for i--; i >= 0 && (list[i].low == "the" || list[i].low == "our"); i-- {
	}
	return i > 0 && among(" about on for called named titled describing covering ", list[i].low) && among(pageKinds, list[i-1].low)
}

// placed reports whether a word names a location or is joined to a page: "in the quickstart", "guides/a and faq".
func placed(list []token, i int) bool {
	for i--; i >= 0 && (list[i].low == "the" || list[i].low == "our"); i-- {
	}
	if i < 0 {
		return false
	}
	switch list[i].low {
	case "in", "on", "from", "within", "inside":
		return true
	case "and", ",", "or":
		return i > 0 && list[i-1].kind == pageMark
	}
	return false
}

// nameRuns marks names in capital letters. The first word of a sentence counts only if the next one does too.
func (g *grammar) nameRuns(list []token) (out []token) {
	capital := func(t token) bool { return t.kind == 0 && strings.ContainsFunc(t.text, unicode.IsUpper) }
	arrow := func(i int) bool { return i >= 0 && i < len(list) && list[i].low == "->" }
	for i := 0; i < len(list); {
		n := 0
		if capital(list[i]) && (arrow(i-1) || arrow(i+1)) { // both sides of an arrow are names
			n = 1
		}
		for i+n < len(list) && capital(list[i+n]) && list[i+n].clause == list[i].clause && (n > 0 || !among(noNames, list[i].low)) {
			n++
		}
		if n == 0 || list[i].first && !arrow(i+1) && (n == 1 || g.verbs[list[i].low]) {
			out = append(out, list[i])
			i++
			continue
		}
		raw := textOf(list[i : i+n])
		out = append(out, token{text: raw, low: strings.ToLower(raw), kind: nameMark, raw: raw, clause: list[i].clause})
		i += n
	}
	return out
}
