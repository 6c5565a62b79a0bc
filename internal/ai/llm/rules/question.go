package rules

import "regexp"

// question is a request with missing information, and the text that asks for it.
type question struct {
	form *regexp.Regexp
	text string // includes an example of a complete request
}

const (
	whichRedirect = "From which address to which page? Write for example: `add a redirect from /old to /new`."

	vague = `(?:it|them|this|that|these|those|(?:the|that|this|a|one) (?:page|pages|file|guide|article|folder|section|doc))`
)

// questions are requests that are understood but incomplete.
func questions() []question {
	asks := func(text string, patterns ...string) (out []question) {
		for _, f := range forms(patterns...) {
			out = append(out, question{f, text})
		}
		return out
	}
	var out []question
	out = append(out, asks("Which page, and what is its new path? Write for example: `move guides/start.mdx to start/install.mdx`.",
		`(?:move|relocate|rename) (?:`+vague+`|`+onePage+`)(?:`+fill+`)*`,
		`(?:move|rename) (?:the |our )?[\w-]+(?: [\w-]+)? `+called+` to [\w-]+`)...)
	out = append(out, asks("Which page should be deleted, and where should its readers go? Write for example: "+
		"`delete guides/old.mdx and redirect it to guides/new`.", deleting+` `+vague+`(?:`+fill+`)*`)...)
	out = append(out, asks("From which version to which? Write for example: `bump version 1.2.3 to 1.3.0`.",
		versioning+` (?:the |our |all )?(?:[\w-]+ )?(?:version|versions|version numbers?)`+tail,
		versioning+` (?:`+whole+`|`+versionNoun+`)(?:to|for) (?:version |release )?`+versionText+`(?:`+fill+`)*`)...)
	out = append(out, asks(whichRedirect,
		adding+` (?:a|an|the|one|another) (?:new |permanent )?redirect(?:`+fill+`)*`)...)
	out = append(out, asks("What should the changelog entry say? Write for example: `add a changelog entry for 1.3.0: Exports can be scheduled`.",
		`(?:`+entering+`|update|extend|complete) (?:`+entry+`|`+logName+`)`+ofVersion+`(?:`+fill+`)*`)...)
	out = append(out, asks("Which term should become which? Write for example: `rename workspace to project`.",
		`(?:rename|replace|substitute|change) (?:the )?(?:(?:old|outdated|wrong) )?(?:term|word|name|wording)s?(?: (?:with|to|by`+
			`|into) (?:the )?(?:new|right|correct) (?:one|ones|term|word|name)s?)?`+tail,
		`rename [\w-]+`)...)
	return out
}

// ask adds the question for an incomplete request.
func (r *reading) ask(clause string) bool {
	for _, q := range r.questions {
		if q.form.MatchString(clause) {
			r.out.asks = append(r.out.asks, code(clause)+": "+q.text)
			return true
		}
	}
	return false
}
