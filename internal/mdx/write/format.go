package write

import (
	"bytes"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
)

const (
	maxRounds = 6        // rounds until the page no longer changes
	minTrials = 100      // parses that check whether edits change the meaning; more for small pages, up to
	maxParsed = 64 << 20 // total of parsed bytes
)

// group is a set of edits that are only valid together, such as the bullets of one list.
type group []Edit

// page is a body with its tree.
type page struct {
	body []byte
	root *ast.Root
}

// rule proposes edits of one kind.
type rule func(page) []group

// Format formats a page: line ends, trailing space, bullets, headings, tables, tags on one line, blank lines, imports.
// Everything else, in particular code, stays unchanged. A change is only made if the tree of the page stays the same.
// Formatting a formatted page changes nothing. A page with syntax errors is returned unchanged, with diagnostics whose
// File is empty.
func Format(src []byte) (out []byte, changed bool, list diag.List) {
	front, list := frontmatter.Parse("", src)
	if list.HasErrors() {
		return src, false, list
	}
	root, findings := parse(front.Body, front.BodyLine)
	if findings.HasErrors() {
		return src, false, append(list, findings...)
	}
	head := formatHead(src[:len(src)-len(front.Body)])
	f := &formatter{page: page{front.Body, root}, meaning: meaning(root.Children),
		trials: minTrials + min(1000, maxParsed/(len(src)+1))}
	if !f.settle(len(head) > 0) {
		return src, false, nil
	}
	out = append(head, f.body...)
	return out, !bytes.Equal(out, src), nil
}

func parse(body []byte, line int) (*ast.Root, diag.List) {
	return mdx.ParseWith(mdx.Options{}, "", body, line)
}

// formatter holds a page that is being changed, and the meaning that it must keep.
type formatter struct {
	page
	meaning string
	trials  int
}

// settle applies all rules until they propose no more edits. It returns false if they do not stop within the limits,
// because the result of a second run would then differ.
func (f *formatter) settle(headed bool) bool {
	for range maxRounds {
		before := f.body
		f.try(bytes.ReplaceAll(f.body, []byte("\r\n"), []byte("\n")))
		for _, r := range []rule{trailingSpace, tags, marks, tables, imports, blankLines} {
			if edits := f.admit(nil, r(f.page)); len(edits) > 0 {
				if body, err := Apply(f.body, edits); err == nil {
					f.try(body)
				}
			}
		}
		f.try(oneNewline(f.body, headed))
		if bytes.Equal(before, f.body) {
			return f.trials > 0
		}
	}
	return false
}

// try replaces the body if the new one has the same meaning.
func (f *formatter) try(body []byte) bool {
	if bytes.Equal(body, f.body) {
		return true
	}
	root, list := parse(body, 1)
	if list.HasErrors() || meaning(root.Children) != f.meaning {
		return false
	}
	f.page = page{body, root}
	return true
}

// admit adds to accepted the groups that keep the meaning. It bisects the groups to find those that do not.
func (f *formatter) admit(accepted []Edit, groups []group) []Edit {
	if len(groups) == 0 || f.trials == 0 {
		return accepted
	}
	f.trials--
	all := accepted[:len(accepted):len(accepted)]
	for _, g := range groups {
		all = append(all, g...)
	}
	if body, err := Apply(f.body, all); err == nil {
		if root, list := parse(body, 1); !list.HasErrors() && meaning(root.Children) == f.meaning {
			return all
		}
	}
	if len(groups) == 1 {
		return accepted
	}
	half := len(groups) / 2
	return f.admit(f.admit(accepted, groups[:half]), groups[half:])
}

// formatHead formats front matter: line ends, and trailing space if no value can span several lines.
func formatHead(head []byte) []byte {
	head = bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n"))
	lines := bytes.SplitAfter(head, []byte{'\n'})
	flat := true
	for i, l := range lines {
		flat = flat && (i == 0 || len(l) == 0 ||
			l[0] != ' ' && l[0] != '\t' && bytes.Count(l, []byte{'"'})%2 == 0 && bytes.Count(l, []byte{'\''}) != 1)
	}
	out := make([]byte, 0, len(head))
	for _, l := range lines {
		if text := bytes.TrimRight(l, " \t\r\n"); flat && bytes.HasSuffix(l, []byte{'\n'}) {
			l = append(text[:len(text):len(text)], '\n')
		} else if flat {
			l = text
		}
		out = append(out, l...)
	}
	return out
}

// oneNewline ends the page with a single line break. An empty page stays empty.
func oneNewline(body []byte, headed bool) []byte {
	text := bytes.TrimRight(body, " \t\n")
	if len(text) == 0 {
		if headed || len(body) == 0 {
			return nil
		}
		return []byte{'\n'}
	}
	return append(text[:len(text):len(text)], '\n')
}
