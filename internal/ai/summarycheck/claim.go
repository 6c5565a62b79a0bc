package summarycheck

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// sentence is one statement of a summary.
type sentence struct {
	text string
	// text with codeMark in place of each code span, because words in code are not claims; code has the contents
	plain string
	code  []string
}

// codeMark stands for a code span; it is removed from the summary first.
const codeMark = '\x00'

var (
	listMark = lazyregexp.New(`^\s*(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?`)
	// the end of a sentence, or a semicolon between statements
	sentenceEnd = lazyregexp.New(`[.!?;]["')\]]*\s+`)
	codeSpan    = lazyregexp.New("`+([^`]+)`+")
	emphasis    = strings.NewReplacer("**", "", "__", "", "*", "")
)

// sentences divides Markdown into statements. It skips headings, quotations and blocks of code.
func sentences(summary string) (out []sentence) {
	fenced := false
	for line := range strings.Lines(strings.ReplaceAll(summary, string(codeMark), "")) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
			continue
		}
		if fenced || trimmed == "" || trimmed[0] == '#' || trimmed[0] == '>' {
			continue
		}
		var code []string
		plain := codeSpan.ReplaceAllStringFunc(listMark.ReplaceAllString(trimmed, ""), func(span string) string {
			code = append(code, strings.TrimSpace(strings.Trim(span, "`")))
			return string(codeMark)
		})
		plain = emphasis.Replace(plain)
		for from := 0; from < len(plain); {
			to := len(plain)
			if end := sentenceEnd.FindStringIndex(plain[from:]); end != nil {
				to = from + end[1]
			}
			part := strings.TrimSpace(plain[from:to])
			n := strings.Count(part, string(codeMark))
			out = append(out, newSentence(part, code[:n]))
			code, from = code[n:], to
		}
	}
	return out
}

func newSentence(plain string, code []string) sentence {
	s := sentence{plain: plain, code: code}
	var text strings.Builder
	for i, part := range strings.Split(plain, string(codeMark)) {
		if i > 0 {
			text.WriteString("`" + code[i-1] + "`")
		}
		text.WriteString(part)
	}
	s.text = text.String()
	return s
}

// claim is the change that a sentence describes.
type claim struct {
	files []string // that were changed
	texts []string // what the change is about
	edits []string // added, removed or replaced
	count int      // number of files; 0 = not stated
}

const (
	// verbs of changes, in the past tense and the participle
	verbs = `(?:added|adjusted|changed|clarified|converted|corrected|created|deleted|documented|dropped|edited|expanded|extended|` +
		`fixed|formatted|improved|inserted|introduced|linked|merged|modified|moved|normali[sz]ed|reformatted|relinked|removed|renamed|` +
		`reorgani[sz]ed|repaired|replaced|reworded|rewrote|rewritten|shortened|simplified|split|switched|tidied|translated|updated|` +
		`wrote|written|now (?:also )?(?:contains?|covers?|describes?|documents?|explains?|has|have|includes?|links?|lists?|mentions?|points?|` +
		`reads?|says?|shows?|states?|uses?))`
	// words between the subject and its verb
	adverbs = `(?:(?:also|now|just|then|successfully|manually|carefully|all|both|each|have|has|had|been|'ve) )*`
)

var (
	// statements of the agent about itself or about changes to the docs
	claims = lazyregexp.New(`(?i)(?:^|, |\band |\bthen )(?:(?:i|we)(?:'ve)? |(?:this|the) (?:change|commit|pull request|pr) )?` + adverbs +
		verbs + `\b|\b(?:was|were|is now|are now|has been|have been) ` + adverbs + verbs + `\b|\bnow (?:also )?` +
		`(?:contain|cover|describe|document|explain|has|have|include|link|list|mention|point|read|say|show|state|use)s?\b`)
	verb = lazyregexp.New(`(?i)\b` + verbs + `\b`)
	// statements about something that was not done, already existed, or could be done
	denies = lazyregexp.New(`(?i)\b(?:not?|never|none|nothing|neither|nor|without|already|unchanged|untouched|would|could|should|cannot|` +
		`may|might|must|needs?|if|unless|instead of being|left|leaves?|kept|skipped|ignored|previously|earlier)\b|` +
		`\bbefore(?: that)?(?:\s*[.,;:)]|$)|n't\b`)
	// code directly after such a verb, and its replacement, is the edited text, not what the edit is about
	edited = lazyregexp.New(`(?i)\b(?:added|inserted|removed|deleted|dropped|replaced|renamed) (?:(?:the|a|an|all|every|each) )*\x00` +
		`(?:(?:, | and |, and )\x00)*(?: (?:everywhere )?(?:with|to|by) \x00)?`)
	// prepositions: the first group precedes a location that was changed; after the others, the location need not have
	// changed
	preposition = lazyregexp.New(`(?i)\b(?:(in|on|of|across|inside|within|throughout)|(?:to|from|with|for|by|so|because|since|that|which|` +
		`about|as|into|where|when|like|see|after|using|via|against|than|between|matching|pointing))\b`)
	filePath  = lazyregexp.New(`(?i)^[\w./@+-]*[\w-]\.(?:mdx?|json|ya?ml|jsx?|tsx?|css|html?|svg|png|jpe?g|gif|webp|txt|toml)$`)
	barePath  = lazyregexp.New(`(?i)(?:^|[\s("'])([\w./@+-]*[\w-]\.(?:mdx?|json|ya?ml|jsx?|tsx?|css|svg|png|jpe?g|gif|webp))\b`)
	fileCount = lazyregexp.New(`(?i)\b(\d{1,6}|two|three|four|five|six|seven|eight|nine|ten)(?: [a-z]+)? (?:files|pages)\b`)
)

var numbers = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10}

// claim returns the change that a sentence describes; ok is false if it does not claim a change.
func (s sentence) claim() (c claim, ok bool) {
	at := claims.FindStringIndex(s.plain)
	if at == nil || denies.MatchString(s.plain) {
		return claim{}, false
	}
	// In "pages were updated" the changed object precedes the verb; otherwise it follows the verb.
	first := verb.FindStringIndex(s.plain)
	if first == nil { // letters without a case, or for which \b does not work
		return claim{}, false
	}
	for _, at := range edited.FindAllStringIndex(s.plain, -1) {
		from := strings.Count(s.plain[:at[0]], string(codeMark))
		for _, text := range s.code[from : from+strings.Count(s.plain[at[0]:at[1]], string(codeMark))] {
			if !filePath.MatchString(text) {
				c.edits = append(c.edits, text)
			}
		}
	}
	before, after := s.plain[:first[0]], s.plain[first[1]:]
	used := strings.Count(before, string(codeMark))
	c.take(before, s.code[:used], true)
	code := s.code[used:]
	changed := true // whether the part being read states what was changed
	for after != "" {
		part, next := after, ""
		place := false
		if p := preposition.FindStringSubmatchIndex(after); p != nil {
			part, next, place = after[:p[0]], after[p[1]:], p[2] >= 0
		}
		n := strings.Count(part, string(codeMark))
		c.take(part, code[:n], changed)
		code, after, changed = code[n:], next, place
	}
	return c, true
}

// take adds the names in a part of a sentence. Files count only if the part states what was changed.
func (c *claim) take(part string, code []string, changed bool) {
	for _, text := range code {
		switch {
		case !filePath.MatchString(text):
			c.texts = append(c.texts, text)
		case changed:
			c.files = append(c.files, text)
		}
	}
	if !changed {
		return
	}
	for _, m := range barePath.FindAllStringSubmatch(part, -1) {
		c.files = append(c.files, m[1])
	}
	if m := fileCount.FindStringSubmatch(part); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			n = numbers[strings.ToLower(m[1])]
		}
		c.count = max(c.count, n)
	}
}
