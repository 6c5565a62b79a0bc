package guard

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Text that a code host or a build server interprets.
var (
	issueWord   = lazyregexp.New(`(^|[^\w` + "`" + `&#/])((?:[\w.-]+/[\w.-]+)?[#!]\d+|GH-\d+)\b`)
	mentionWord = lazyregexp.New(`(^|[^\w` + "`" + `@./])(@[A-Za-z0-9][\w/-]*)`)
	buildWord   = lazyregexp.New(`(?i)\[((?:skip|no)[ -](?:ci|cd|actions|build|azurepipelines|netlify|render)|` +
		`(?:ci|cd|actions|build|netlify|render)[ -]skip)\]|\*\*\*NO_CI\*\*\*`)
	trailer = lazyregexp.New(
		`^([A-Za-z][A-Za-z-]*-(?:by|checks|to|ci|pipelines?)|Closes?|Fix(?:es)?|Resolves?|Cc|Acked|Approved)(:)`)
	target      = lazyregexp.New(`\]\([^)\s]*`)
	plainTarget = lazyregexp.New(`^[\w./#-]*$`)
	ticked      = lazyregexp.New("`+")
	command     = lazyregexp.New(`^\s*/[A-Za-z]`)
	address     = lazyregexp.New(`(?i)\b(?:https?|ftp|mailto|file|data|javascript|vscode|ssh|git):[^\s<>` + "`" +
		`]+|\bwww\.[^\s<>` + "`" + `]+`)
)

// asText escapes tags, entities, pictures and link definitions, so that they show as text.
var asText = strings.NewReplacer("&", "&amp;", "<", "&lt;", "![", "\\![", "]:", "] :")

// Tame makes a model's prose safe for a pull request or a commit: words, lists, emphasis and code are kept. Pictures
// are not loaded, links lead to known hosts only, tags are shown as text, no user is mentioned, and nothing acts as a
// command to the code host or the build server.
func Tame(text string, known map[string]bool) string {
	var b strings.Builder
	fence := ""
	lines := strings.Split(strings.ReplaceAll(Visible(text), "\r", ""), "\n")
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				line, fence = fence, "" // at the start of the line, where every Markdown parser recognizes it as the end
			}
			b.WriteString(harmless(line))
		case fenceOf(trimmed) != "":
			fence = fenceOf(trimmed)
			b.WriteString(fence) // the info string is of no use to people
		default:
			b.WriteString(tameLine(line, known))
		}
	}
	if fence != "" {
		b.WriteString("\n" + fence) // our own text follows, which must not look like part of the code
	}
	return b.String()
}

// harmless changes a line of code so that it cannot be read as a command.
func harmless(line string) string {
	if command.MatchString(line) || trailer.MatchString(line) {
		line = " " + strings.TrimLeft(line, " \t")
		if command.MatchString(line) {
			line = " $" + line
		}
	}
	return buildWord.ReplaceAllString(line, "($1)")
}

// tameLine tames a line of text. Code in it is left unchanged, apart from words that build servers search for.
func tameLine(line string, known map[string]bool) string {
	line = buildWord.ReplaceAllString(line, "($1)")
	if m := trailer.FindStringSubmatchIndex(line); m != nil {
		line = line[:m[3]] + " " + line[m[4]:]
	}
	if command.MatchString(line) {
		line = "`" + strings.ReplaceAll(strings.TrimSpace(line), "`", "'") + "`"
	}
	line = ticked.ReplaceAllString(strings.ReplaceAll(line, "\\`", "'"), "`") // only single backticks pair up unambiguously
	if strings.Count(line, "`")%2 == 1 {
		line = strings.ReplaceAll(line, "`", "'") // an unclosed one would continue in the text that follows
	}
	var b strings.Builder
	for i, part := range strings.Split(line, "`") {
		if i%2 == 1 {
			b.WriteString("`" + part + "`")
			continue
		}
		b.WriteString(tameWords(part, known))
	}
	return strings.ReplaceAll(b.String(), "``", "` `") // two pieces of code next to each other
}

// tameWords tames text without code.
func tameWords(text string, known map[string]bool) string {
	text = asText.Replace(text)
	text = target.ReplaceAllStringFunc(text, func(link string) string {
		if to := link[len("]("):]; plainTarget.MatchString(to) && !strings.HasPrefix(to, "//") ||
			safeAddress(to, known) {
			return link
		}
		return "] (" + link[len("]("):]
	})
	text = tameLinks(text, known)
	var b strings.Builder
	for i, part := range strings.Split(text, "`") { // addresses may have been turned into code
		if i%2 == 1 {
			b.WriteString("`" + part + "`")
			continue
		}
		part = issueWord.ReplaceAllString(part, "$1`$2`")
		b.WriteString(mentionWord.ReplaceAllString(part, "$1`$2`"))
	}
	return b.String()
}

// tameLinks turns addresses of unknown hosts, and addresses of issues, into code, so that they are visible but are
// not links.
func tameLinks(text string, known map[string]bool) string {
	var b strings.Builder
	last := 0
	for _, m := range address.FindAllStringIndex(text, -1) {
		found := strings.TrimRight(text[m[0]:m[1]], ".,;:!?*_~'\"")
		if open := strings.Count(found, "("); strings.Count(found, ")") > open {
			for strings.HasSuffix(found, ")") && strings.Count(found, ")") > open {
				found = found[:len(found)-1]
			}
		}
		if safeAddress(found, known) {
			continue
		}
		b.WriteString(text[last:m[0]] + "`" + strings.ReplaceAll(found, "&amp;", "&") + "`")
		last = m[0] + len(found)
	}
	b.WriteString(text[last:])
	return b.String()
}

// plainAddress matches an address that can be read in only one way: no escapes, no user, no query.
var plainAddress = lazyregexp.New(`^https?://([A-Za-z0-9.-]+)(?::\d+)?(?:[/#][\w./~#+=%-]*)?$`)

func safeAddress(found string, known map[string]bool) bool {
	m := plainAddress.FindStringSubmatch(found)
	if m == nil || len(found) > maxQuery || !known[hostName(m[1])] {
		return false
	}
	for _, piece := range []string{"/issues/", "/pull/", "/merge_requests/", "/pull-requests/", "/pulls/"} {
		if strings.Contains(found, piece) {
			return false
		}
	}
	return true
}
