package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Limits on reading a prompt.
const (
	maxPrompt   = 64 << 10 // bytes
	maxSentence = 600      // bytes: requests are never longer
	maxCount    = 100      // sentences
)

var (
	fence    = lazyregexp.New("(?m)^[ \t]*(```|~~~)")
	bullet   = lazyregexp.New(`^[ \t]*(?:[-*•+]|\(?[0-9]{1,2}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?`)
	straight = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'",
		"\u00a0", " ", "\r\n", "\n", "→", " -> ", "⇒", " -> ", "=>", " -> ")
)

// sentences splits a prompt into sentences; each is understood completely or not at all. Blocks of code and quoted
// lines are omitted: they are material, not requests.
func sentences(prompt string) (out []string) {
	text := straight.Replace(strings.ToValidUTF8(prompt[:min(len(prompt), maxPrompt)], ""))
	for _, line := range joined(text) {
		for _, s := range split(line) {
			if s = strings.Join(strings.Fields(s), " "); s != "" && len(out) < maxCount {
				out = append(out, s)
			}
		}
	}
	return out
}

// joined returns the lines of a text after joining lines that were only wrapped.
func joined(text string) (out []string) {
	code, open := false, false // open: the previous line may continue
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		bare := strings.TrimSpace(line)
		if fence.MatchString(line) {
			code, open = !code, false
			continue
		}
		if code || strings.HasPrefix(bare, ">") || bare == "" {
			open = false
			continue
		}
		item := bullet.FindString(line)
		bare = strings.TrimLeft(strings.TrimSpace(line[len(item):]), "#* ")
		first, _ := utf8.DecodeRuneInString(bare)
		if item == "" && open && len(out) > 0 && !unicode.IsUpper(first) {
			out[len(out)-1] += " " + bare
		} else {
			out = append(out, bare)
		}
		open = bare != "" && !strings.ContainsAny(bare[len(bare)-1:], ".!?:;")
	}
	return out
}

// split ends sentences at full stops that are followed by white space and are not inside quotation marks.
func split(line string) (out []string) {
	start := 0
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		last := i+1 == len(line)
		switch {
		case quote != 0:
			if c == quote && (c != '\'' || last || !isLetter(line[i+1])) {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case c == '\'' && (i == 0 || line[i-1] == ' ' || line[i-1] == '(') && strings.Contains(line[i+1:], "'"):
			quote = c
		case (c == '.' || c == '!' || c == '?' || c == ';') &&
			(last || line[i+1] == ' ' || strings.IndexByte(".!?", line[i+1]) >= 0) && !abbreviated(line[start:i]):
			out = append(out, line[start:i+1])
			start = i + 1
		}
	}
	return append(out, line[start:])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// abbreviated reports whether a full stop after a text belongs to an abbreviation.
func abbreviated(before string) bool {
	word := strings.ToLower(before[strings.LastIndexAny(before, " (")+1:])
	return word == "e.g" || word == "i.e" || word == "etc" || word == "vs" || word == "resp"
}
