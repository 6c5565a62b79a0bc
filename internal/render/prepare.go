package render

import (
	"bytes"
	"regexp"
)

// prepare takes out of a page what is not Markdown: import and export statements, comments and tags. Children of tags stay, and
// lose the indentation that only showed their nesting; "{#id}" at the end of a heading goes into ids, by line from 0. It works in time linear in the page and keeps every line on its number.
//
// Code is left as it is: fences of three or more ` or ~, and spans between equal runs of `.
func prepare(body []byte) (out []byte, ids map[int]string, tags bool) {
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	body = bytes.ReplaceAll(body, []byte{0}, []byte("\uFFFD"))
	p := &preparer{src: body, budget: 4*len(body) + 4096}
	p.out.Grow(len(body))
	p.run()
	return dedent(body, p.out.Bytes(), p.depths), p.ids, p.tags
}

type preparer struct {
	src    []byte
	out    bytes.Buffer
	budget int      // bytes that scans without a result may still cost
	open   []string // names of block tags around the current line
	depths []int    // for each line: how many of them were open at its start
	fence  []byte   // the fence around the current line, or nil
	ids    map[int]string
	defs   int // link definitions in a row
	inESM  bool
	tags   bool // some tag was taken out
	blank  bool // a block may start here: the line before was blank or a tag
}

func (p *preparer) run() {
	p.blank = true
	for at := 0; at < len(p.src); {
		end := lineEnd(p.src, at)
		line := p.src[at:end]
		p.depths = append(p.depths, len(p.open))
		switch {
		case p.fence != nil:
			p.out.Write(line)
			if closes(line, p.fence) {
				p.fence = nil
			}
			p.blank = false
			at = end
		case p.statement(line):
			if bytes.HasSuffix(line, []byte{'\n'}) {
				p.out.WriteByte('\n')
			}
			at = end
		default:
			if f := opens(line); f != nil {
				p.fence, p.blank = f, false
				p.out.Write(line)
				at = end
				continue
			}
			p.definition(line)
			p.customID(line)
			at = p.textLine(at, end)
		}
	}
}

var esm = regexp.MustCompile(`^(?:import\s+(?:["'{*]|[\w$,\s{}*]+\sfrom\s+["'])|export\s+(?:default\b|const\b|let\b|var\b|function\b|async\b|class\b|[{*]))`)

// statement tells whether the line belongs to an import or export statement, which ends at a blank line.
func (p *preparer) statement(line []byte) bool {
	if p.inESM {
		if len(bytes.TrimSpace(line)) == 0 {
			p.inESM, p.blank = false, true
			return false
		}
		return true
	}
	if p.blank && esm.Match(line) {
		p.inESM = true
		return true
	}
	return false
}

// maxDefinitions bounds link definitions in a row: the Markdown library takes them off a paragraph one by one, at the cost of the
// whole paragraph each time.
const maxDefinitions = 1000

var definition = regexp.MustCompile(`^[ >]*\[[^\]]{1,999}\]:`)

// definition makes text of a link definition that follows too many others.
func (p *preparer) definition(line []byte) {
	if !definition.Match(line) {
		p.defs = 0
		return
	}
	if p.defs++; p.defs > maxDefinitions {
		line[bytes.IndexByte(line, '[')] = '('
	}
}

var customID = regexp.MustCompile(`^\s*#{1,6}[ \t].*?[ \t]*(\{#([^{}\n]{1,200})\})[ \t]*\n?$`)

// customID notes the id that a heading's author chose and blanks it.
func (p *preparer) customID(line []byte) {
	m := customID.FindSubmatchIndex(line)
	if m == nil {
		return
	}
	if p.ids == nil {
		p.ids = map[int]string{}
	}
	p.ids[len(p.depths)-1] = string(line[m[4]:m[5]])
	for i := m[2]; i < m[3]; i++ {
		line[i] = ' '
	}
}

func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

var fenceLine = regexp.MustCompile("^(?:[ \t]*(?:>|[-*+]|[0-9]{1,9}[.)]))*[ \t]*(`{3,}|~{3,})([^\n]*)")

// opens returns the fence that the line opens, or nil. Markers of quotes and lists may stand before it.
func opens(line []byte) []byte {
	m := fenceLine.FindSubmatch(line)
	if m == nil || m[1][0] == '`' && bytes.IndexByte(m[2], '`') >= 0 {
		return nil
	}
	return m[1]
}

func closes(line, fence []byte) bool {
	line = bytes.TrimLeft(line, " \t>")
	rest := bytes.TrimLeft(line, string(fence[:1]))
	return len(line)-len(rest) >= len(fence) && len(bytes.TrimSpace(rest)) == 0
}

// maxNest bounds the quote and list markers at the start of a line: each opens a level that later stages walk recursively.
const maxNest = 100

// maxIndent bounds the white space before a line of text, for the same reason: a list can nest by it.
const maxIndent = 200

// clamp cuts markers beyond maxNest off the start of a line.
func clamp(line []byte) []byte {
	n := 0
	for i, c := range line {
		switch {
		case c == ' ' || c == '\t':
		case c == '>', i+1 < len(line) && line[i+1] == ' ' && bytes.IndexByte([]byte("-+*.)"), c) >= 0:
			if n++; n > maxNest {
				return append(append([]byte{}, line[:i]...), bytes.TrimLeft(line[i:], "> \t-+*.)0123456789")...)
			}
		case c == '-' || c == '+' || c == '*' || c >= '0' && c <= '9':
		default:
			return line
		}
	}
	return line
}
