package rules

import (
	"regexp"
	"sync"
)

// looseClasses are applied in this order. They are compiled when a request first needs them.
var looseClasses = sync.OnceValue(func() []class {
	const (
		moved = `(?:moved|renamed|relocated|transferred|migrated|shifted)`
		gone  = `(?:deleted|removed|dropped|retired|discarded|erased|killed|scrapped|unpublished|purged|axed|ditched|binned|taken down)`
	)
	as := func(with, pattern string) class { return class{regexp.MustCompile(pattern), with} }
	return []class{
		classOf("", `please to|please|pls|plz|kindly|thanks a lot|thanks|thank you|thx|asap|(?:can|could|would|will) (?:you|u|someone|anyone|somebody|we)`+
			`|as well|too|also|just|simply|really|actually|maybe|perhaps|quickly|hi|hello|hey|cheers|from now on|today`),
		classOf("should not", `shouldn't|mustn't|must not`),
		classOf("want", `(?:we|i)(?: would|'d|'ll| do| really)*(?: like| love| want| need| prefer| wish)(?: to (?:see|have|get))?`),
		as(" $1 shall $2 ", ` want (?:the |our |all |that )*([GPFC]\d+)(?: (?:and|,) ([A-Z]\d+))?(?: to)?(?: be| get| live)? `),
		classOf("shall", `(?:should|must|shall|ought to|needs? to|ha(?:s|ve) to|(?:is|are) to|(?:is|are) (?:supposed|meant) to|wants? to|can|could|may`+
			`|might|will)(?: be| get)?`),
		classOf("instead of", `rather than|in place of|in lieu of|as opposed to`),
		classOf("unredirect", `(?:no longer|not|stop|stops|without) (?:be )?redirect(?:s|ed|ing)?(?: any ?more)?`),
		classOf("redirect", `redirect(?:s|ed|ing|ion)?|30[1278]s?|forwards?|forwarded|forwarding|alias(?:es)?|short ?links?|vanity url`),
		classOf("nav", `(?:(?:site|docs|main|left|left-hand|sidebar|side|top) )*(?:navigation|nav|sidebar|side bar|menu|table of contents|toc|navbar)`+
			`(?: (?:menu|bar|tree|list))?`),
		classOf("alt", `alt(?:ernative)?[- ]?(?:texts?|tags?|attributes?)|alts?|image descriptions?|text for screen readers?`),
		classOf("image", `images?|pictures?|screenshots?|figures?|pics?|photos?|illustrations?|diagrams?`),
		classOf("description", `(?:(?:meta|page|seo|search|short|front ?matter|missing) )*descriptions?`),
		classOf("newslog", `changelog|change log|release notes?|what's new`),
		as(" delete $1$2", ` throw (?:the )?(it|them|page|[A-Z]\d+) (?:away|out)\b| take (?:the )?(it|them|page|[A-Z]\d+) (?:down|offline)\b`),
		as(" move $1", ` (?:have|get|see) (?:the )?([A-Z]\d+) `+moved+`\b`),
		as(" ->", `(?: -)+ ->`),
		classOf("delete", `get rid of|take down|throw (?:away|out)|take offline|shall `+gone+`|be `+gone+`|delete|deleting|remove|removing|drop|dropping`+
			`|retire|retiring|discard|erase|kill|nuke|trash|scrap|unpublish|git rm|rm|purge|axe|ditch|bin|shall go away|shall disappear|shall vanish`),
		classOf("hide", `hide|hiding|unlist|exclude|take out|conceal|(?:not|n't|never|no longer|shouldn't|isn't meant to|doesn't (?:need|have) to)(?: shall)?`+
			`(?: be)? (?:show|shown|show up|appear|visible|listed|displayed)`),
		classOf("move", `git mv|mv|move|moving|rename|renaming|relocate|relocating|transfer|migrate|shift|shall `+moved+`|be `+moved+`|get `+moved),
		classOf("wasmoved", moved),
		classOf("wasdeleted", gone),
		classOf("replace", `replace|replacing|substitute|swap|exchange|swapping|find and replace|search and replace|search & replace`),
		classOf("change", `change|changing|switch|update|updating|correct|turn|bump|bumping|upgrade|raise|set|adjust|edit`),
		classOf("add", `add|adding|list|include|insert|register|append|show|put|place|create|supply|provide|write|fill in|set up|log|record|mention|note`),
		classOf("fix", `fix|fixing|repair|mend|resolve|sort out|take care of|correct`),
		classOf("format", `(?:run )?formatter|format|reformat|formatting|autoformat|auto-format|prettify|beautify|pretty-print|lint|normali[sz]e`+
			`|tidy(?: up)?|tidying|clean(?: up| it up)?|cleaning up`),
		classOf("markup", `markdown|mdx|source|syntax|whitespace|white space|indentation|indents?|blank lines|line breaks|markup|spacing`),
		classOf("url", `urls?|address|addresses|paths?|slugs?|locations?|permalinks?`),
		classOf("link", `(?:hyper)?links?|cross-?references?|anchors?`),
		classOf("broken", `broken|dead|(?:do(?:es)?n'?t|do not|does not|not|no longer) work(?:ing)?|404s?|leads? nowhere|goes nowhere|stale|wrong`),
		classOf("lacks", `(?:has|have) no|lacks?|lacking|(?:cannot|can't|shall't|not) (?:is |be |get )?(?:found|find|see|seen)|(?:is|are) (?:missing|without)`+
			`|missing|miss(?:es)?|do(?:es)?n'?t have|do(?:es)? not have|needs?|without|(?:is|are)(?:n't| not)|absent`),
		classOf("everywhere", `everywhere|throughout|globally|site-?wide|across (?:the |all |our )*(?:docs|site|documentation|pages)`+
			`|(?:in|on) (?:all|every|each)(?: the| of the)? (?:page|pages|docs)`),
		classOf("is", `are|was|were|be|been|being`),
		classOf("", `the|an?|our|my|your|its|this|that|these|those|their`),
		as("$1 $2 shall ", `(^|[.?!]) shall ([A-Z]\d+)(?: docs| page)? `),
		// a statement of what must not be done is not a request to do it
		as("$1 no$2", ` (?:not|never|no|don't|dont|doesn't|didn't|cannot|can't|won't|shouldn't|mustn't|needn't|stop|avoid|without|against|instead of)`+
			`((?: (?:shall|to|be|is|ever|yet|longer|circumstances|account|way|need|just|simply|want)){0,3})`+
			` (delete|move|redirect|replace|change|add|hide|format|fix)\b`),
	}
})
