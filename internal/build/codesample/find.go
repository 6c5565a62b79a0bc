package codesample

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/render/component"
)

// sample is a program on a page.
type sample struct {
	pos    diag.Pos // position of its first block
	name   string   // "" if the program has none
	lang   language
	blocks []block
	output *output // nil if the page does not contain its output
}

// block is a part of a program. line is the line of its fence in the page.
type block struct {
	line int
	text string
}

// output is the expected output of a program.
type output struct {
	pos  diag.Pos
	text string
}

// source returns the program. Its lines have the same numbers as in the page, so that error messages of the program
// refer to the page.
func (s *sample) source() []byte {
	var out []byte
	line := 0 // last line in out
	for _, b := range s.blocks {
		out = append(out, bytes.Repeat([]byte("\n"), max(0, b.line-line))...)
		text := strings.TrimSuffix(b.text, "\n") + "\n"
		out = append(out, text...)
		line = max(line, b.line) + strings.Count(text, "\n")
	}
	return out
}

// finder collects the programs of all pages, up to MaxSamples.
type finder struct {
	languages Languages
	list      []*sample
	result    *Result
}

// maxDisabled limits the number of languages that are counted by name.
const maxDisabled = 50

// page adds the programs of a page, and warnings about outputs without a program. It ignores a page that cannot be
// read, because the build reports it.
func (f *finder) page(file string, src []byte) {
	if !bytes.Contains(src, []byte("test=")) && !bytes.Contains(src, []byte("output=")) {
		return // most pages
	}
	page, problems := frontmatter.Cut(file, src)
	if problems.HasErrors() {
		return
	}
	root, problems := mdx.Parse(file, page.Body, page.BodyLine)
	if problems.HasErrors() {
		return
	}
	p := pageFinder{finder: f, named: map[string]*sample{}, silent: map[string][]*sample{}, known: map[string]bool{}}
	lines := lineCounter{src: page.Body, line: page.BodyLine}
	ast.Walk(root.Children, func(n ast.Node) bool {
		code, ok := n.(*ast.Code)
		if !ok {
			return true
		}
		meta := component.ParseMeta(code.Lang, code.Meta)
		if meta.Test != "" || meta.Output != "" {
			at := lines.at(code.Start)
			at.File = file
			p.block(at, meta, code.Text)
		}
		return true
	})
}

// pageFinder collects the programs of one page.
type pageFinder struct {
	*finder
	named  map[string]*sample   // by name and language
	silent map[string][]*sample // by name: programs whose output is not known yet
	known  map[string]bool      // names, including those of programs that are not run
}

// block handles a marked block of code.
func (p *pageFinder) block(at diag.Pos, meta component.CodeBlock, text string) {
	if meta.Test != "" {
		p.add(at, meta, text)
	}
	if meta.Output == "" {
		return
	}
	if waiting := p.silent[meta.Output]; len(waiting) > 0 {
		waiting[len(waiting)-1].output = &output{at, text}
		p.silent[meta.Output] = waiting[:len(waiting)-1]
		return
	}
	if !p.known[meta.Output] {
		p.result.Findings.Warnf(at, "sample-output", "The page has no sample %q above this output.", meta.Output)
		p.result.Findings.Hint("Mark the sample with test=" + strconv.Quote(meta.Output) + ".")
	}
}

// add appends a block to the program with its name, or to a new one.
func (p *pageFinder) add(at diag.Pos, meta component.CodeBlock, text string) {
	name := meta.Test
	if name == "true" {
		name = ""
	}
	key := name + "\n" + meta.Lang
	if s := p.named[key]; name != "" && s != nil {
		s.blocks = append(s.blocks, block{at.Line, text})
		return
	}
	again := p.known[name] // true for another block of a program that is not run
	p.known[name] = true
	l, enabled := p.languages[strings.ToLower(meta.Lang)]
	switch {
	case !enabled:
		lang := meta.Lang
		if _, counted := p.result.Disabled[lang]; !counted && len(p.result.Disabled) >= maxDisabled {
			lang = "other"
		}
		if name == "" || !again {
			p.result.Disabled[lang]++
		}
	case len(p.list) >= MaxSamples:
		p.result.Left++
	default:
		s := &sample{pos: at, name: name, lang: l, blocks: []block{{at.Line, text}}}
		p.list = append(p.list, s)
		p.named[key] = s
		p.silent[name] = append(p.silent[name], s)
	}
}

// lineCounter computes line numbers for ascending offsets without counting from the start each time.
type lineCounter struct {
	src    []byte
	offset int
	line   int // line at offset
}

func (c *lineCounter) at(offset int) diag.Pos {
	if offset < c.offset {
		offset = c.offset // nodes are in text order
	}
	c.line += bytes.Count(c.src[c.offset:offset], []byte("\n"))
	c.offset = offset
	return diag.Pos{Line: c.line, Column: len([]rune(string(c.src[bytes.LastIndexByte(c.src[:offset], '\n')+1:offset]))) + 1}
}
