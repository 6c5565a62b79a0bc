package diffview

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Block is a part of a proposal's text. Pages format the few Markdown forms that agents use; everything else is shown
// literally.
type Block struct {
	Kind  string // heading, list, rule or text
	Lines [][]Span
}

// Span is a run of text in one format.
type Span struct {
	Kind string // code, strong, link or text
	Text string
}

// spans matches `code`, **strong** and URLs.
var spans = lazyregexp.New("`[^`\n]+`|\\*\\*[^*\n]+\\*\\*|https?://[^\\s<>`\"]*[^\\s<>`\".,;:!?)]")

// Blocks splits a text into blocks, line by line.
func Blocks(text string) (out []Block) {
	open := "" // kind of the last block, if it can continue
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		kind, rest := kindOf(line)
		switch {
		case kind == "":
			open = ""
			continue
		case kind != open || kind == "heading" || kind == "rule":
			out = append(out, Block{Kind: kind})
		}
		open = kind
		last := &out[len(out)-1]
		last.Lines = append(last.Lines, spansOf(rest))
	}
	return out
}

func kindOf(line string) (kind, rest string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		return "", ""
	case trimmed == "---" || trimmed == "***":
		return "rule", ""
	case strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " "):
		return "heading", strings.TrimSpace(strings.TrimLeft(line, "#"))
	case strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "* "):
		return "list", trimmed[2:]
	}
	return "text", line
}

func spansOf(line string) (out []Span) {
	at := 0
	for _, m := range spans.FindAllStringIndex(line, -1) {
		if m[0] > at {
			out = append(out, Span{"text", line[at:m[0]]})
		}
		switch found := line[m[0]:m[1]]; {
		case found[0] == '`':
			out = append(out, Span{"code", strings.Trim(found, "`")})
		case found[0] == '*':
			out = append(out, Span{"strong", strings.Trim(found, "*")})
		default:
			out = append(out, Span{"link", found})
		}
		at = m[1]
	}
	if at < len(line) {
		out = append(out, Span{"text", line[at:]})
	}
	return out
}
