package rules

import (
	"regexp"
	"slices"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
)

// chore is a kind of request that consists only of an action and a scope.
type chore struct {
	kind  maintain.Kind
	forms []*regexp.Regexp // the last group is the scope
}

const (
	fixing = `(?:(?:find|look for|check for|search for|detect|locate|identify) (?:and|then) )?(?:fix|repair|mend|correct|resolve|sort out` +
		`|clean up|heal|` +
		`take care of|deal with)`
	broken = `(?:broken|dead|bad|invalid|faulty|wrong|stale|outdated|dangling|rotten|non-working|not working|incorrect)`
	links  = `(?:links?|hyperlinks?|anchors?|anchor links?|cross[- ]?(?:references?|links?|refs?)|references?|refs|urls?|link targets?` +
		`|link errors?|` +
		`link rot|404s?|(?:image|page|heading|section|internal|anchor|relative) (?:links?|references?|paths?|anchors?))`
	more = `(?:` + links + `|images?|pictures?|redirects?|(?:navigation|nav) (?:entries|links)|paths?)`
	sep  = `(?: and|,| or|, and|/|,? as well as)`

	linkList = det + `(?:(?:` + broken + `|internal|relative|local) )*` + links + `(?:` + sep + ` ` + det + `(?:` +
		broken + ` )?` + more + `)*`
	deadList = det + `(?:internal )?` + broken + ` (?:internal )?` + more + `(?:` + sep + ` ` + det + `(?:` + broken +
		` )?` + more + `)*`
	them = `(?:them|these|those|that|it|any|all|all of (?:them|those)|(?:the )?broken ones|any (?:broken ones|that are broken|issues?|problems?|` +
		`errors?|you find)|what(?:ever)? (?:you (?:can|find)|is (?:broken|wrong|dead)|it (?:finds|reports)|comes up))`

	lacking = `(?: (?:that|which) (?:still )?(?:lack|lacks|miss|have no|has no|have none|do not have|don't have|are missing|is missing|need|` +
		`needs)(?: (?:one|them|it|any|descriptions?|a description|alt(?:ernative)? texts?))?| without (?:one|them|it|any|descriptions?` +
		`|a description|` +
		`alt(?:ernative)?[- ]texts?)| (?:missing|lacking) (?:one|them|it|any|descriptions?|a description|alt(?:ernative)?[- ]texts?))?`
	supplying  = `(?:add|write|create|generate|fill in|fill out|fill|set|provide|include|insert|supply|make)`
	describing = `(?:page |meta |seo |front ?matter |frontmatter )*descriptions?(?: fields?| metadata| tags?)?`
	alt        = `(?:image |images' |missing )*alt(?:ernative)?[- ]?(?:texts?|tags?|attributes?|descriptions?|s)`
	images     = det + `(?:images?|pictures?|screenshots?|figures?|img tags?|illustrations?)` + lacking

	formatting = `(?:lint and )?(?:format|reformat|re-format|auto-?format|tidy(?: up)?|prettify|beautify|pretty-print` +
		`|run the formatter (?:on|over)|apply (?:the |` +
		`consistent )?format(?:ting|ter)? to|(?:clean up|fix|tidy(?: up)?|normali[sz]e) (?:the )?formatting (?:of|in|on|across))`
	orphan = `(?:orphan(?:ed)?|unlisted|unlinked|unreferenced|stray|forgotten)`
)

// firstWords lists every word with which a request for a chore, a version change or a term change can begin.
const firstWords = `
	fix repair mend correct resolve sort clean heal take deal find look check search detect locate identify update address scan review audit crawl go
	verify validate
	test make ensure if add write create generate fill set provide include insert supply give describe broken dead complete format reformat re-format autoformat
	auto-format tidy prettify beautify
	pretty-print run do perform apply lint show images image pictures screenshots
	normalise normalize put list place register refresh extend bump upgrade raise increase change replace switch move version rename relocate substitute swap use`

// chores lists the wordings of requests. Each must match a whole clause, so that a request that contains anything
// else is not mistaken for one.
func chores() []chore {
	return []chore{
		{maintain.FixLinks, forms(
			fixing+` (?:`+linkList+`|`+deadList+`)`+tail,
			`(?:update|address|check and update) (?:`+deadList+`)`+tail,
			`(?:check|scan|review|audit|search|crawl|go through|look through|look|verify|validate|test)(?: `+whole+
				`)?(?: for)? (?:`+linkList+`|`+
				``+deadList+`)(?: (?:in|on|across) `+whole+`)?,? (?:and|then|and then) (?:fix|repair|mend|correct) `+
				them+tail,
			`(?:make sure|ensure)(?: that)? (?:`+linkList+
				` (?:work|works|are valid|are working|resolve|hold|are fixed|are correct|are not broken|aren't broken)|`+
				`there are no `+deadList+`|no links? (?:is|are) broken)`+tail,
			`if (?:there are|you find|you see|you come across) (?:`+deadList+`),? (?:`+pr+
				` )*(?:fix|repair|mend|correct) (?:them|these|those|it)`+tail,
			`(?:fix|repair) (?:what is|what's|whatever is) broken in `+det+`links`+tail,
			det+broken+` `+links+tail+`(?:,| -| –|:)? (?:`+pr+` )*(?:fix|repair|correct)(?: (?:it|them|that|this))?`+tail,
			`(?:run|do|perform|make) (?:a |the )?(?:link check(?:er)?|check of (?:all |the )*links)(?: (?:over|on|across|for|of`+
				`|in) `+whole+`)?,? (?:and|then|and then) (?:fix|repair|mend|correct) `+them+tail,
		)},
		{maintain.Descriptions, forms(
			supplying+` `+det+`(?:a |an )?(?:missing |empty |absent )*`+describing+`(?: (?:to|for|on|in) `+det+`pages?`+
				lacking+`|`+
				` where(?:ver)? they are missing)?`+tail,
			`(?:fix|complete|fill in) `+det+`(?:missing|empty) `+describing+tail,
			`give `+det+`pages?`+lacking+` (?:a |an |their )?`+describing+tail,
			`(?:make sure|ensure)(?: that)? (?:every|each|all|all the) pages? (?:has|have) (?:a |an )?`+describing+tail,
			`describe `+det+`pages?`+lacking+tail,
		)},
		{maintain.AltText, forms(
			supplying+` `+det+`(?:a |an )?(?:missing |empty |absent )*`+alt+`(?: (?:to|for|on|of) `+images+`)?`+tail,
			`(?:fix|complete) `+det+`(?:missing|empty) `+alt+`(?: (?:on|of|for) `+images+`)?`+tail,
			`give `+images+` (?:an? )?`+alt+tail,
			`describe `+images+tail,
			images+` (?:need|needs|require|requires|must have|should have) (?:an? )?`+alt+tail,
			`(?:make sure|ensure)(?: that)? (?:every|each|all|all the) images? (?:has|have) (?:an? )?`+alt+tail,
		)},
		{maintain.Format, forms(
			formatting+` (`+whole+`|`+files+`)(?:`+fill+`)*`,
			`(?:format|reformat|auto-?format|run the formatter|(?:fix|clean up|tidy up) (?:the )?formatting)`+tail,
			`(?:clean up|tidy|tidy up|fix|normali[sz]e|prettify) (?:the )?(?:markdown|mdx|source|sources|syntax)`+tail,
		)},
		{maintain.Navigation, forms(
			`(?:add|put|include|list|insert|place|register) `+det+orphan+` (?:pages?|files?)(?: (?:to|in|into) `+nav+
				`)?`+tail,
			`(?:add|put|include|list|insert|place|register) `+det+
				`(?:missing|new|lost) (?:pages?|files?) (?:to|in|into) `+nav+tail,
			`(?:add|put|include|list|insert|place) `+det+
				`pages? (?:(?:that|which) )?(?:(?:are|is) )?(?:not|missing|absent|aren't|isn't|not yet)(?: (?:yet|`+
				`listed|named|included|linked))*(?: (?:in|from|part of|on)) `+nav+`(?: (?:to it|there|to `+nav+`))?`+
				tail,
			`(?:update|fix|complete|refresh|extend) `+nav+` (?:for|with|to include|by adding|so that it has|to list) `+
				det+`(?:`+orphan+`|missing|new) pages?`+tail,
			`(?:fix|resolve|find and add) `+det+orphan+` pages?`+tail,
			`(?:make sure|ensure)(?: that)? (?:all|every|each|all the) pages? (?:is|are|appears?|shows? up) (?:listed |included |named )?(?:in`+
				`|on) `+nav+tail,
			`(?:list|include|put|add) (?:all|every|all the|each) pages? (?:in|to|into) `+nav+tail,
		)},
	}
}

// Sentences that describe a problem without asking for a fix, and what may follow them.
const (
	tellsLinks = `(?:there are|there's|there is|we have|we've got|i (?:see|found|noticed)|you have|` + whole +
		` (?:has|have|contains?))(?: (?:some|many|` +
		`a few|lots of|several|a lot of|too many|a couple of|tons of))? ` + deadList + tail +
		`|(?:some|many|several|a few|a lot) ?(?:of )?` + linkList + ` (?:are|seem|look) (?:broken|dead)` + tail + `|` +
		linkList + ` (?:are|is) broken` + tail +
		`|(?:the|a|one|some|our) (?:[\w-]+ )?links? (?:in|on|at|of) (` + onePage + `|` + files + `) (?:is|are|seems?` +
		`|looks?) (?:to be )?(?:broken|dead|wrong|invalid)` +
		`|(?:our|the|a|my) (?:[\w-]+ ){1,3}(?:complains about|reports|reported|found|finds|flags|flagged|lists|shows|is unhappy with) ` +
		`(?:` + deadList + `(?: (?:in|on) (?:` + onePage + `|` + files + `))?|(` + onePage + `|` + files + `))`
	tellsPages = `(?:every|each|all|all the|our) pages? (?:needs?|should have|must have|requires?) (?:a |an )?` + describing + tail + `` +
		`|(?:some|many|several|a few|most) (?:of )?` + det +
		`pages? (?:lack|miss|have no|are missing|do not have|don't have) ` + describing + tail +
		`|(` + onePage + `) (?:lacks|misses|has no|is missing|does not have|doesn't have) (?:a |an |its )?` + describing
	tellsImages = `(?:some|many|several|a few|most) (?:of )?` + det +
		`images? (?:lack|miss|have no|are missing|do not have|don't have) ` + alt + tail +
		`|(?:(?:our|the|an?) )?(?:[\w-]+ ){1,3}(?:found|finds|reports|reported|lists|shows|complains about|flagged|flags) ` + det +
		`(?:images?|pictures?|screenshots?) (?:without|with no|that lack|lacking|missing|that have no) (?:an )?` + alt + tail +
		`|` + alt + ` (?:is|are) (?:missing|absent|lacking)` + tail +
		`|(` + onePage + `) has (?:an? )?(?:images?|pictures?|screenshots?) (?:without|with no|that lack|lacking|missing) (?:an )?` + alt
	fixThem = `(?:fix|repair|mend|correct|add|resolve|write|generate|list|include|put|insert|supply|create) (?:them|those|these|that|it` +
		`|this|one|all of them|` +
		`(?:the|those|all|all the) (?:missing ones|links?|ones|missing)|(?:those|the ones|all|what)(?: that| which)? (?:is|are) missing` +
		`|what is missing|(?:it|them) there)(?: all)?` + tail
	// heading matches the title of a list of chores, which requests nothing.
	heading = `(?:[\w-]+ ){0,2}(?:clean-?(?:ing|up)|clean up|housekeeping|maintenance|upkeep|chores|todos?)`
)

// choreOf parses a clause that requests a chore by name.
func (g *grammar) choreOf(clause string) (maintain.Task, bool) {
	if m := g.listed.FindStringSubmatch(clause); m != nil {
		return checked(maintain.Task{Kind: maintain.Navigation, Files: g.filesOf(m[1])})
	}
	for _, c := range g.chores {
		for _, f := range c.forms {
			m := f.FindStringSubmatch(clause)
			if m == nil {
				continue
			}
			t := maintain.Task{Kind: c.kind, Files: g.filesOf(m[len(m)-1])}
			return checked(t)
		}
	}
	return maintain.Task{}, false
}

// mentioned returns the chore that would fix the problem described in a sentence.
func (g *grammar) mentioned(sentence string) (maintain.Task, bool) {
	for _, k := range maintain.Kinds() {
		if f := g.tells[k]; f != nil {
			if m := f.FindStringSubmatch(sentence); m != nil {
				scope := slices.IndexFunc(m[1:], func(s string) bool { return s != "" })
				t := maintain.Task{Kind: k}
				if scope >= 0 {
					t.Files = g.filesOf(m[1+scope])
				}
				if name := m[1+max(scope, 0)]; len(t.Files) == 0 && g.named.MatchString(name) {
					t.Files = []string{pageOf(name)}
				}
				return t, true
			}
		}
	}
	return maintain.Task{}, false
}
