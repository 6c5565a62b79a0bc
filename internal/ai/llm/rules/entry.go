package rules

import (
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
)

// Requests to add an entry to the changelog.
const (
	logName  = `(?:(?:the|our) )?(?:changelog(?:\.mdx?)?(?: page)?|change log|release notes)`
	entering = `(?:add|write|create|put|insert|make|include|log|record|append)`
	inLog    = ` (?:to|in|into|under|of) ` + logName
	entry    = `(?:(?:an?|new|another|the|one|following|unreleased) )*(?:(?:changelog|change log) (?:entry|line|item|note|bullet)|release note|` +
		`(?:entry|line|item|note|bullet(?: point)?)` + inLog + `)(?:` + inLog + `)?`
	ofVersion = `(?: (?:for|of|in|under|to) (?:(?:the )?(?:version|release) )?` + versionText + `)?`
	telling   = `(?::| (?:saying|stating|noting|mentioning|that says|which says|to say)(?: that)?:?| -| –)`
	saying    = `(?:` + telling + `| that)`
)

// entryForms are the wordings: each captures a version, which may be empty, and the text.
func entryForms() []*regexp.Regexp {
	return forms(
		`(?:`+entering+` )?`+entry+ofVersion+telling+` (.+)`,
		`new (?:entry|line|item)`+inLog+ofVersion+telling+` (.+)`,
		entering+` (?:this|the following|this line|this change|the following (?:line|entry|text|change))?`+`(?:(?: )?(?:to|in|into`+
			`|under) )`+logName+ofVersion+saying+` (.+)`,
		`(?:document|mention|note|state|write|say|record|log)(?: this| this change| it)? in `+logName+ofVersion+saying+` (.+)`,
		logName+`(?: entry)?: (?:for )?(?:version )?`+versionText+`[,:]? (.+)`,
		logName+` entry()`+`: (.+)`,
		logName+`()`+`: ((?:added|fixed|changed|removed|deprecated|improved|updated) .+)`,
	)
}

// quotedEntry matches an entry in quotation marks followed by its destination.
func quotedEntry() *regexp.Regexp {
	return form(entering + ` (` + quotes + `)` + ofVersion + inLog + ofVersion)
}

// changelogEntry parses a sentence that requests an entry. The entry's text may contain anything, so it is parsed
// before the sentence is divided.
func (r *reading) changelogEntry(sentence string) bool {
	if m := r.quotedEntry.FindStringSubmatch(sentence); m != nil {
		return r.addEntry(unquote(m[1]), m[2]+m[3])
	}
	for _, f := range r.entries {
		if m := f.FindStringSubmatch(sentence); m != nil {
			return r.addEntry(unquote(m[2]), m[1])
		}
	}
	return false
}

func (r *reading) addEntry(text, version string) bool {
	return r.add(maintain.Task{Kind: maintain.Changelog, Text: strings.TrimSpace(text), To: version})
}
