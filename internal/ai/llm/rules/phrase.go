package rules

import (
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
)

// Building blocks of wordings. White space has been normalized to single spaces.
const (
	det = `(?:(?:all|any|every|each|the|our|my|your|some|these|those|this|that|of|remaining|existing|other|whole|entire|possible) )*`

	// whole matches expressions for the entire documentation.
	whole = `(?:` + det +
		`(?:docs?|documentation|docs? (?:site|folder|pages|files|repo)|documentation (?:site|pages|files)|site|website|pages?|(?:mdx|` +
		`markdown|md|source) (?:files|pages|sources)|sources|folder|repo|repository|project|content|files|everything)` +
		`(?: (?:of|in|on|across) ` + det +
		`(?:docs?|documentation|site|website|repo|repository|project|folder|docs folder))?)`

	quotes = "`[^`]+`|\"[^\"]+\"|'[^']+'"
	file   = "(?:" + quotes + `|[\w./~-]*(?:/|\.mdx?\b)[\w./~-]*)`
	named  = `(?:(?:the )?(?:page |pages |file |files |folder |directory |section )?` + file +
		`(?: (?:page|file|folder|directory|section))?|(?:the |` +
		`our )?[\w-]+ (?:folder|directory|section)|(?:the |our )(?:[\w-]+ ){1,2}(?:page|guide|tutorial|article)|(?:the |our )?home ?page)`
	files = `(?:` + named + `(?:(?:,| and|, and| or) ` + named + `)*)`

	scope = `(?: only)? (?:in|on|across|throughout|over|inside|within|for|of|from|under|below) (?:` + whole + `|` + files +
		`)(?: only)?| (?:in|on|to) (?:the|our) [\w-]+| to ` + files + `| everywhere|` +
		` site-?wide| globally| throughout`
	fill = `,? (?:please|pls|thanks|thank you|for me|for us|if (?:there are any|there is any|any|possible|you can|needed|necessary)|` +
		`where(?:ver)? (?:possible|you can|needed|necessary|it is missing|they are missing|missing)` +
		`|as needed|automatically|now|today|asap|again|too|as well|also|(?:that |which )?you (?:can )?(?:find|see)|accordingly|properly` +
		`|correctly|for (?:seo|` +
		`accessibility|a11y|screen readers)|by hand|yourself` +
		`|,?(?:and |then |and then )(?:open|create|make|submit|send|raise) (?:a|the|me a) (?:pr|pull request|merge request|mr)(?: (?:for it` +
		`|with it|` +
		`with the changes|for that))?)`
	tail = `((?:` + scope + `|` + fill + `)*)`

	nav = `(?:the |our |my |its )?(?:site |docs |main |left |sidebar )*(?:navigation|nav|sidebar|side bar|menu|docs\.json|mint\.json` +
		`|table of contents|` +
		`toc)(?: (?:menu|bar|tree|file))?`

	pr = `(?:please|pls|kindly|now|just|then|can you|could you|would you)`
)

// form compiles the wording of a request, which must match a whole clause.
func form(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:` + pattern + `)$`) }

func forms(patterns ...string) (out []*regexp.Regexp) {
	for _, p := range patterns {
		out = append(out, form(p))
	}
	return out
}

// polite matches introductory words that request nothing.
const polite = (`(?i)^(?:(?:please to|pls to|please|pls|plz|kindly|(?:hey|hi|hello)(?: there| all| team)?|ok|okay|so|also|and|then|next|finally|first` +
	`|firstly|second|` +
	`secondly|third|thirdly|lastly|last|afterwards|after that|now|just|maybe|quickly|simply|additionally|in addition|furthermore|plus` +
	`|can you|could you|would you|will you|can we|could we|let's|let us|lets|i want you to|i'd like you to|i would like you to|i'd like to` +
	`|i would like to|` +
	`i want to|i need you to|we need to|we need you to|we want you to|we want to|i need to|we should|you should|you need to` +
	`|it would be (?:great|nice|good|lovely) if you (?:could|would)|help me to|help me|help us to|help us|go ahead and|make sure to|be sure to|` +
	`make sure you|remember to|try to|your (?:task|job) is to|the task is to|task|todo|to do|to-do|request|@?lectern|agent|bot|team|everyone|folks` +
	`|go through ` + whole +
	` and|as a (?:first|second|next|last|final) step|good (?:morning|afternoon|evening))(?:[,:!]* |[,:!]+$))+`)

// mild matches whole sentences that request nothing, or something that happens anyway.
const mild = (`(?:many )?thanks(?: (?:a lot|in advance|so much|very much))?|thank you(?: (?:very much|so much|in advance))?|cheers|please|hi|hello|` +
	`hey(?: there)?|good (?:morning|afternoon|evening)|ok|okay|` +
	`that's (?:it|all)|that is (?:it|all)|no rush|the task follows|` +
	`(?:` + pr +
	` )*(?:then |and )*(?:open|create|make|submit|send|raise) (?:a|the|me a) (?:pr|pull request|merge request|mr)(?: (?:for (?:it|this|that|` +
	`review)|with (?:it|the changes|your changes)|when (?:you're|you are) done|afterwards|once done))?|` +
	`(?:` + pr +
	` )*(?:do|handle|complete|perform|take care of) (?:all of )?(?:the following|these|this|that)(?: (?:things|tasks|chores|steps|items|` +
	`changes))?|(?:some|a few|the) (?:chores|tasks|todos|maintenance|maintenance tasks)|(?:docs )?(?:maintenance|chores|tasks|todos?` +
	`|to-dos?|upkeep)|` +
	`(?:` + pr + ` )*(?:do not|don't) (?:change|touch|edit|modify) (?:anything else|(?:the )?(?:wording|text|content|meaning))|(?:nothing|and nothing) else(?: (?:moves|changes|should (?:move|change)))?|(?:` +
	pr + ` )*leave (?:everything else|` +
	`the rest)(?: (?:alone|as is|as it is|untouched|unchanged))?`)

// limiting matches words that change the meaning of a request. If a part of the prompt that is not understood contains
// such a word, none of the prompt's requests is carried out.
const limiting = (`(?i)\b(?:not|don't|dont|doesn't|won't|can't|cannot|shouldn't|mustn't|never|no longer|without|except|excepting|unless|only|but|` +
	`instead|rather|avoid|leave|skip|exclude|excluding|ignore|other than|apart from|besides|stop|undo|revert|until|before you|hold off` +
	`|wait|if|when|` +
	`as long as|neither|nor|hypothetically|pretend|suppose|imagine)\b`)

// mindful matches a polite question followed by a gerund.
const mindful = (`(?i)^(?:(?:would|do) you )?mind ((?:re)?[a-z]+?)(?:(tt|pp)ing|ing)\b`)

// plain removes polite words, and turns "would you mind fixing" into "fix".
func (g *grammar) plain(clause string) string {
	clause = strings.TrimSpace(clause)
	clause = g.respelled(g.polite.ReplaceAllString(clause, ""))
	m := g.mindful.FindStringSubmatch(clause)
	if m == nil {
		return clause
	}
	stem := m[1]
	if m[2] != "" {
		stem += m[2][:1]
	}
	for _, verb := range []string{stem, stem + "e"} {
		switch strings.ToLower(verb) {
		case "fix", "repair", "mend", "correct", "add", "write", "create", "generate",
			"format", "reformat", "bump", "update", "change", "replace", "rename", "check", "redirect", "put",
			"include", "list":
			return verb + clause[len(m[0]):]
		}
	}
	return clause
}

// respelled corrects the first verb of a clause if it has one letter too many, one missing, one wrong, or two swapped.
func (g *grammar) respelled(clause string) string {
	first, rest, ok := strings.Cut(clause, " ")
	word := strings.ToLower(first)
	if !ok || len(word) < 5 || g.verbs[word] || strings.Contains(realWords, " "+word+" ") {
		return clause
	}
	for verb := range strings.FieldsSeq(misspelt) {
		if word == verb {
			return clause
		}
	}
	for verb := range strings.FieldsSeq(misspelt) {
		if !strings.HasPrefix(word, verb) && (didyoumean.Distance(word, verb, 2) == 1 || exchanged(word, verb)) {
			return verb + " " + rest
		}
	}
	return clause
}

const (
	// verbs that are recognised with a spelling mistake
	misspelt = `delete remove rename replace change update format reformat redirect relocate create repair correct`
	// words that are similar to these verbs and have a different meaning
	realWords = ` remote charge chance deleted renamed removed replaced changed updated changes updates formal former removes `
)

// exchanged reports whether two words differ only by two swapped neighbouring letters.
func exchanged(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i+1 < len(a); i++ {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// unquote removes the quotation marks around a text.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n > 1 && s[0] == s[n-1] && strings.IndexByte("`\"'", s[0]) >= 0 {
		return strings.TrimSpace(s[1 : n-1])
	}
	return s
}

// filesOf returns the files and folders in a scope. None means everything.
func (g *grammar) filesOf(scope string) (out []string) {
	scope = g.openPull.ReplaceAllString(scope, "")
	for _, m := range g.file.FindAllString(scope, -1) {
		out = append(out, strings.Trim(strings.TrimSuffix(unquote(m), "."), "/"))
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range g.folder.FindAllStringSubmatch(scope, -1) {
		switch strings.ToLower(m[1]) {
		case "docs", "doc", "documentation", "the", "this", "whole", "entire", "same":
		default:
			out = append(out, m[1])
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range g.inWords.FindAllStringSubmatch(scope, -1) {
		if name := m[1] + m[2]; !g.everything.MatchString(name) {
			out = append(out, pageOf(name))
		}
	}
	return out
}
