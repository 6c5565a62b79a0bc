package assistant

import (
	"maps"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// kind is the kind of a Markdown block.
type kind int

const (
	paragraph kind = iota
	item           // list item, with everything indented below it
	row            // table row
	fence          // code block
	summary        // the page's description below its title
)

// block is the smallest part of a section that can be quoted.
type block struct {
	kind kind
	text string
	head string          // of a row: the table's header and delimiter row
	key  string          // of a row: the first non-empty cell
	have map[string]bool // words
}

var (
	listItem = lazyregexp.New(`^(?:[-*+]|\d{1,3}[.)]) `)
	breaks   = lazyregexp.New(`<br ?/>`)
	ruler    = lazyregexp.New(`^\|?(?: *:?-+:? *\|)+(?: *:?-+:? *\|?)?$`)
)

// blocksOf splits a section into blocks.
func blocksOf(text string) (out []block) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "":
			i++
		case fenceMark(line) != "":
			n := fenceEnd(lines, i)
			out = append(out, block{kind: fence, text: strings.Join(lines[i:n], "\n")})
			i = n
		case strings.HasPrefix(line, "> ") && len(out) == 0:
			out = append(out, block{kind: summary, text: line})
			i++
		case strings.HasPrefix(line, "|") && i+1 < len(lines) && ruler.MatchString(strings.TrimSpace(lines[i+1])):
			head := line + "\n" + lines[i+1]
			for i += 2; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
				text := breaks.ReplaceAllString(lines[i], ", ")
				key, _, _ := strings.Cut(strings.TrimLeft(text, "| "), "|")
				out = append(out, block{kind: row, text: text, head: head, key: key})
			}
		case listItem.MatchString(line):
			n := itemEnd(lines, i)
			out = append(out, block{kind: item, text: strings.TrimRight(strings.Join(lines[i:n], "\n"), "\n ")})
			i = n
		default:
			n := i + 1
			for n < len(lines) && strings.TrimSpace(lines[n]) != "" && fenceMark(lines[n]) == "" &&
				!listItem.MatchString(lines[n]) && !strings.HasPrefix(lines[n], "#") {
				n++
			}
			out = append(out, block{kind: paragraph, text: strings.Join(lines[i:n], " ")})
			i = n
		}
	}
	for i := range out {
		out[i].have = searchindex.Terms(out[i].text)
		if out[i].kind == fence {
			maps.Copy(out[i].have, codeWords) // these words ask for code
		}
	}
	return out
}

// fenceMark returns the marks with which a line opens a code fence, or "" if it opens none.
func fenceMark(line string) string {
	rest := strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if n := len(rest) - len(strings.TrimLeft(rest, mark)); n >= 3 {
			return rest[:n]
		}
	}
	return ""
}

// fenceEnd returns the index of the line after the fence that begins at line i.
func fenceEnd(lines []string, i int) int {
	mark := fenceMark(lines[i])
	for n := i + 1; n < len(lines); n++ {
		if end := strings.TrimSpace(lines[n]); strings.HasPrefix(end, mark) && strings.Trim(end, mark[:1]) == "" {
			return n + 1
		}
	}
	return len(lines)
}

// itemEnd returns the index of the line after the list item that begins at line i, which includes all indented lines.
func itemEnd(lines []string, i int) int {
	n := i + 1
	for n < len(lines) {
		switch line := lines[n]; {
		case strings.TrimSpace(line) == "":
			if n+1 >= len(lines) || !strings.HasPrefix(lines[n+1], "  ") {
				return n
			}
			n++
		case fenceMark(line) != "" && strings.HasPrefix(line, "  "):
			n = fenceEnd(lines, n)
		case listItem.MatchString(line) || strings.HasPrefix(line, "#") || fenceMark(line) != "":
			return n
		default:
			n++
		}
	}
	return n
}
