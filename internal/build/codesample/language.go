package codesample

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// language describes how samples of a language are run.
type language struct {
	name  string
	file  string   // file name of the program's source
	words []string // the program and its arguments; the name of the source file is appended
}

// known lists the languages whose programs need no configuration, with the names that fences use for them.
var known = []struct {
	language
	aliases []string
}{
	{language{"bash", "sample.sh", []string{"bash"}}, []string{"bash"}},
	{language{"sh", "sample.sh", []string{"sh"}}, []string{"sh", "shell"}},
	{language{"python", "sample.py", []string{"python3"}}, []string{"python", "py", "python3"}},
	{language{"javascript", "sample.mjs", []string{"node"}}, []string{"javascript", "js", "node", "mjs"}},
	{language{"ruby", "sample.rb", []string{"ruby"}}, []string{"ruby", "rb"}},
	{language{"perl", "sample.pl", []string{"perl"}}, []string{"perl", "pl"}},
	{language{"lua", "sample.lua", []string{"lua"}}, []string{"lua"}},
}

// extensions maps languages to the file extensions that their programs require.
var extensions = map[string]string{"golang": "go", "typescript": "ts", "rust": "rs", "kotlin": "kts", "csharp": "cs"}

// Languages holds the enabled languages.
type Languages map[string]language // by the names that fences use

// ParseLanguages parses the operator's list: a language with a default program, as in "python", or any language
// with the operator's own program, as in "go=/usr/local/go/bin/go run".
func ParseLanguages(list []string) (Languages, error) {
	out := Languages{}
	for _, entry := range list {
		name, command, own := strings.Cut(strings.TrimSpace(entry), "=")
		name = strings.ToLower(strings.TrimSpace(name))
		words := strings.Fields(command)
		i := slices.IndexFunc(known, func(l struct {
			language
			aliases []string
		}) bool {
			return slices.Contains(l.aliases, name)
		})
		switch {
		case i >= 0:
			l := known[i].language
			if own && len(words) > 0 {
				l.words = words
			}
			for _, alias := range known[i].aliases {
				out[alias] = l
			}
		case name != "" && len(words) > 0:
			extension := name
			if e, ok := extensions[name]; ok {
				extension = e
			}
			out[name] = language{name: name, file: "sample." + extension, words: words}
		default:
			return nil, fault.Newf(fault.Invalid, "bad_language", "%q is not a language whose samples can be run.", entry).
				WithHint("Known languages are " + strings.Join(names(), ", ") + ". For others, name the program: go=/usr/local/go/bin/go run")
		}
	}
	return out, nil
}

func names() (out []string) {
	for _, l := range known {
		out = append(out, l.name)
	}
	return out
}
