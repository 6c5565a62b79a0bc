package rename

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// head changes fields of the front matter that refer to pages or files. The value of a field may be on the same line or
// in a list below it.
func (p *planner) head(head []byte) []byte {
	var out strings.Builder
	known := false
	for line := range strings.SplitAfterSeq(string(head), "\n") {
		at := 0 // start of the values
		if m := headField.FindStringSubmatchIndex(line); m != nil {
			known, at = slices.Contains(naming, strings.Trim(line[m[2]:m[3]], `"'`)), m[1]
		}
		if !known {
			out.WriteString(line)
			continue
		}
		out.WriteString(line[:at] + headWord.ReplaceAllStringFunc(line[at:], func(word string) string {
			clean := strings.TrimPrefix(word, "/")
			if _, isFile := p.moved[clean]; !isFile && p.pages[clean] == "" {
				return word
			}
			return strings.TrimSuffix(word, clean) + p.target(clean)
		}))
	}
	return []byte(out.String())
}

// naming lists the front matter fields that refer to pages or files.
var naming = []string{"related", "canonical", "image", "og:image", "twitter:image", "openapi", "asyncapi",
	"openapi-schema", "asyncapi-channel", "icon", "url"}

var (
	headField = lazyregexp.New(`^("[^"\n]+"|'[^'\n]+'|[\w:.-]+?):(?:[ \t]|\r?\n|$)`)
	headWord  = lazyregexp.New(`[^\s"'\[\],]+`)
)
