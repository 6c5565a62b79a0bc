package rules

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// A sentence that matches no wording as a whole is parsed by roles. Names in it are replaced by marks: Q0 for a
// quotation, P1 for a path, V2 for a version, N3 for a page described in words. Other words are replaced by the
// name of their class, or dropped. The result is short, so that a few shapes cover many wordings: "move P0 to P1",
// "Q0 shall become Q1 on N2".

// outline is a sentence with marks.
type outline struct {
	text  string
	names []string // names, by the number of their marks
}

var (
	marked = lazyregexp.New("`[^`]+`|\"[^\"]+\"|" + `https?://\S+|\bv?[0-9]+(?:\.[0-9]+)+(?:-[0-9A-Za-z.]*[0-9A-Za-z])?\b` +
		`|[\w.~-]*/[\w./~-]*|\b[\w.~-]+\.mdx?\b`)
	apostrophes = lazyregexp.New(`(^|[\s(:])'([^']+(?:'\w[^']*)*)'($|[\s.,;:)!?])`)
	arrowed     = lazyregexp.New(`(^|[:,] )([A-Za-z][\w-]*) -> ([A-Za-z][\w-]*)`)
	// said matches the source of a report
	said      = lazyregexp.New(`(?i)^(?:[\w-]+ ){1,4}(?:says|reports|reported|complains|found|noticed|shows|claims|flags|flagged|mentioned)(?: that)? `)
	bracketed = lazyregexp.New(` ?\([^()]*\)`)
	harmless  = lazyregexp.New(`^ ?\((?:[\w-]+(?:, | and )?)+\)$`)
	isNumber  = lazyregexp.New(`^v?[0-9]+(?:\.[0-9]+)+`)
	label     = lazyregexp.New(`^\[[\w /-]+\] *`)
	pageWord  = lazyregexp.New(`^(?:page|guide|tutorial|article|topic)$`)
	pageAbout = lazyregexp.New(`\b(?:the |our )?page (?:on|about|for|called|named|titled|describing) (?:the |our )?` +
		`([\w-]+(?: [\w-]+)?)`)
	homeWords = lazyregexp.New(`\b(?:the |our )?(?:home ?page|landing page|start page|front page|index page)\b`)
)

// stops are words that cannot be part of a page's name.
const stops = ` the our a an this that my your its on in of for from to into under at as and or with is are all every each ` +
	`move rename relocate delete remove drop change replace update add put hide fix format link image alt typo please pls url ` +
	`address path title name description page guide -> make new old last whole same one `

func (o *outline) mark(kind, name string) string {
	o.names = append(o.names, name)
	return fmt.Sprintf("%s%d", kind, len(o.names)-1)
}

// outlined replaces the names in a sentence with marks, and its other words with classes.
func outlined(s string) *outline {
	o := &outline{}
	s = label.ReplaceAllString(s, "")
	s = apostrophes.ReplaceAllString(s, "$1\"$2\"$3")
	s = arrowed.ReplaceAllString(s, `$1"$2" -> "$3"`)
	s = said.ReplaceAllString(s, "")
	s = bracketed.ReplaceAllStringFunc(s, func(b string) string {
		if harmless.MatchString(b) {
			return ""
		}
		return b
	})
	var b strings.Builder
	at := 0
	for _, m := range marked.FindAllStringIndex(s, -1) {
		b.WriteString(strings.ToLower(s[at:m[0]]))
		at = m[1]
		word := s[m[0]:m[1]]
		name := unquote(word)
		end := ""
		if name == word { // a stop word is part of the sentence, not of the name
			name = strings.TrimRight(word, ".,")
			end = word[len(name):]
		}
		switch {
		case strings.Contains(name, "://"):
			b.WriteString(o.mark("U", name))
		case isNumber.MatchString(name):
			b.WriteString(o.mark("V", name))
		case isPath(name) && !strings.Contains(name, " ") && strings.Trim(name, "/.") != "":
			b.WriteString(o.mark("P", name))
		case name != word:
			b.WriteString(o.mark("Q", name))
		default:
			b.WriteString(strings.ToLower(name))
		}
		b.WriteString(end)
	}
	b.WriteString(strings.ToLower(s[at:]))
	o.text = b.String()
	o.pages()
	for _, c := range classes() {
		o.text = c.words.ReplaceAllString(o.text, c.class)
	}
	o.text = strings.Join(strings.Fields(o.text), " ")
	return o
}

// pages replaces descriptions of pages with marks: "the rain sensor page", "the page on rain".
func (o *outline) pages() {
	o.text = homeWords.ReplaceAllStringFunc(o.text, func(string) string { return o.mark("N", "index") })
	o.text = pageAbout.ReplaceAllStringFunc(o.text, func(s string) string {
		return o.mark("N", pageAbout.FindStringSubmatch(s)[1])
	})
	words := strings.Fields(o.text)
	var out []string
	for _, w := range words {
		bare := strings.TrimRight(w, ".,;:")
		if !pageWord.MatchString(bare) || len(out) == 0 {
			out = append(out, w)
			continue
		}
		if last := out[len(out)-1]; last[0] == 'P' || last[0] == 'N' { // "the sensors/rain page"
			out[len(out)-1] += w[len(bare):]
			continue
		} else if last[0] == 'Q' {
			out[len(out)-1] = "N" + last[1:] + w[len(bare):]
			continue
		}
		from := len(out)
		for from > 0 && len(out)-from < 3 && !strings.Contains(stops, " "+out[from-1]+" ") && isName(out[from-1]) {
			from--
		}
		if from == len(out) {
			out = append(out, w)
			continue
		}
		name := o.mark("N", strings.Join(out[from:], " "))
		out = append(out[:from], name+w[len(bare):])
	}
	o.text = strings.Join(out, " ")
}

func isName(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '-' || unicode.IsUpper(r)
	})
}

// class is a name that replaces several words.
type class struct {
	words *regexp.Regexp
	class string
}

// classOf returns a class of whole words.
func classOf(name, list string) class {
	return class{regexp.MustCompile(`\b(?:` + list + `)\b`), name}
}

const wish = `(?:we|i)(?:'d| would| do)? (?:like|love|want|need|prefer|wish)(?: to (?:see|have))?`

// classes are applied in this order. They are compiled when a sentence first needs them.
var classes = sync.OnceValue(func() []class {
	return []class{
		classOf(" ", `please to|please|pls|plz|kindly|thanks a lot|thanks|thank you|thx|asap|from now on|until further notice|for now|for the time being`+
			`|as soon as possible|going forward|in (?:the )?future|today|(?:can|could|would|will) (?:you|u|someone|anyone|somebody|we)`+
			`|as well|too|also|just|simply|really|actually|everywhere|throughout|globally|site-?wide|hi|hello|hey|cheers`),
		classOf(" ", `(?:in|on|across|throughout|over|through|for|from) (?:(?:all|every|the|our|whole|entire|of) )*(?:docs?|documentation|docs site`+
			`|website|site|pages?|repo|repository|places)|all (?:the )?(?:pages|docs|places)`),
		classOf("shall", `(?:should|must|shall|ought to|needs? to|ha(?:s|ve) to|is to|are to|(?:is|are) supposed to|(?:is|are) meant to)(?: be| get)?`),
		{regexp.MustCompile(`^(?:.*? )?` + wish + ` (?:the |our )?((?:everything in )?[PNQ]\d+)(?: to)?(?: be)? `), "$1 shall "},
		{regexp.MustCompile(`^(?:can|could|may) (?:the |our )?([PNQ]\d+) (?:be )?`), "$1 shall "},
		classOf(" ", `the|an?|our|my|your|its`),
		{regexp.MustCompile(`\b(?:page|file) ([PN]\d)`), "$1"},
		{regexp.MustCompile(`\b(?:all|every|each|any) (Q\d)`), "$1"},
		classOf("redirect", `redirect(?:s|ed)?|redirection|30[1278](?: redirect)?s?|forwards?|forwarding`),
		classOf("nav", `(?:(?:site|docs|main|left|sidebar) )*(?:navigation|nav|sidebar|side bar|menu|table of contents|toc)(?: (?:menu|bar|tree))?`),
		classOf("url", `urls?|address|addresses|path|slug|location`),
		classOf("term", `(?:(?:all|every|each|any) )?(?:mentions?|occurrences?|instances?|uses|usages?|references?) of|term|word|phrase|expression|spelling`),
		classOf("delete", `get rid of|take down|throw (?:away|out)|take offline|delete[sd]?|removed?|drop(?:ped)?|retired?|discard(?:ed)?|erased?`+
			`|kill(?:ed)?|nuke|trash|scrap(?:ped)?|unpublish(?:ed)?|git rm|rm|purged?`),
		classOf("hide", `hide|hidden|unlist(?:ed)?|excluded?|take out`),
		classOf("become", `becomes?|(?:be )?(?:written|spelled|spelt|called|named|renamed|replaced|changed)(?: as| to| by| with)?`),
		classOf("move", `moved?|rename|relocated?|transfer(?:red)?|migrated?|shift(?:ed)?|git mv|mv`),
		classOf("change", `change|replace|substitute|swap|switch|update|exchange|correct|turn|bump|upgrade|raise`),
		classOf("fix", `fix|repair|mend|resolve|sort out|take care of`),
		classOf("format", `format|reformat|tidy up|tidy|clean up|normali[sz]e|prettify|beautify|lint`),
		classOf("add", `add|create|set up|write|insert|put|include|make|define|provide|supply|register|introduce|we need|i need`),
		classOf("go", `go|live|lie|sit|stay|belong|be found|reside`),
		classOf("to", `to|into|under`),
		{regexp.MustCompile(` ?-> ?`), " to "},
		classOf("alt", `alt(?:ernative)?[- ]?(?:texts?|tags?|attributes?)`),
		classOf("image", `images?|pictures?|screenshots?|figures?`),
		classOf("description", `(?:(?:meta|page|seo|search) )?descriptions?`),
		classOf("link", `(?:hyper)?links?`),
		classOf("broken", `broken|dead|(?:do(?:es)?n'?t|do not|does not|not|no longer) work(?:ing)?|(?:gives?|returns?|shows?|is|are) 404|404s?|leads? nowhere`),
		classOf("lacks", `(?:has|have) no|lacks?|(?:is|are) (?:missing|lacking|without)|miss(?:es)?|do(?:es)?n'?t have|do(?:es)? not have|needs?|without`),
	}
})

// value replaces the marks in a text with the names that they stand for.
func (o *outline) value(s string) string {
	return anyMark.ReplaceAllStringFunc(s, func(m string) string {
		var n int
		if _, err := fmt.Sscanf(m[1:], "%d", &n); err != nil || n >= len(o.names) {
			return m
		}
		return o.names[n]
	})
}
