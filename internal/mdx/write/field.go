package write

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
)

// SetField sets a top-level field of a page's front matter to a string. It keeps everything else, such as order,
// comments and line ends. If the field is missing, it is added at the end; if the page has no front matter, it is added
// at the start of the page. src is the whole page.
func SetField(src []byte, key, value string) ([]byte, error) {
	page, list := frontmatter.Parse("", src)
	if list.HasErrors() {
		return nil, fmt.Errorf("set field %s: %s", key, firstError(list))
	}
	eol := "\n"
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		eol = "\r\n"
	}
	line := yamlKey(key) + ": " + scalar(value)
	head := src[:len(src)-len(page.Body)]
	out := bytes.Clone(head)
	if page.BodyLine == 1 { // no front matter; a byte order mark stays at the start
		mark := len(head)
		out = append(out[:mark], []byte("---"+eol+line+eol+"---"+eol)...)
		if len(page.Body) > 0 && page.Body[0] != '\n' && page.Body[0] != '\r' {
			out = append(out, eol...)
		}
	} else {
		start, end, comment := findField(head, key)
		if end > start {
			line += comment
		}
		out = append(append(append(out[:start], line...), eol...), head[end:]...)
	}
	out = append(out, page.Body...)
	if _, list := frontmatter.Parse("", out); list.HasErrors() {
		return nil, fmt.Errorf("set field %s: %s", key, firstError(list))
	}
	return out, nil
}

func firstError(list diag.List) string {
	for _, d := range list {
		if d.Severity == diag.Error {
			return d.Message
		}
	}
	return ""
}

// findField finds the lines of a field, or the position before the closing fence if the field is missing. comment
// is the text after the value if the value is on one line.
func findField(head []byte, key string) (start, end int, comment string) {
	lines := bytes.SplitAfter(head, []byte{'\n'})
	at := len(lines[0])
	for i := 1; i < len(lines); i++ {
		line := string(lines[i])
		if strings.TrimRight(line, " \t\r\n") == "---" {
			return at, at, ""
		}
		if rest, ok := cutKey(line, key); ok {
			end = at + len(line)
			more := 0
			for j := i + 1; j < len(lines) && continues(string(lines[j])); j++ {
				more += len(lines[j])
			}
			if more == 0 {
				comment = trailingComment(rest)
			}
			return at, end + more, comment
		}
		at += len(line)
	}
	return at, at, ""
}

// continues reports whether a line belongs to the value above it: an indented line or a list item.
func continues(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "- ")
}

func cutKey(line, key string) (rest string, ok bool) {
	for _, k := range []string{key, strconv.Quote(key), "'" + key + "'"} {
		if rest, ok = strings.CutPrefix(line, k); ok {
			rest = strings.TrimLeft(rest, " \t")
			if rest, ok = strings.CutPrefix(rest, ":"); ok &&
				(rest == "" || strings.IndexByte(" \t\r\n", rest[0]) >= 0) {
				return rest, true
			}
		}
	}
	return "", false
}

// trailingComment returns the comment after a value on the same line, with the white space before it.
func trailingComment(rest string) string {
	quote := byte(0)
	for i := range len(rest) {
		switch c := rest[i]; {
		case quote == '"' && c == '\\':
			return "" // losing a comment is better than keeping half of a value
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.TrimSpace(rest[:i]) == "":
			quote = c
		case c == '#' && i > 0 && (rest[i-1] == ' ' || rest[i-1] == '\t'):
			return " " + strings.TrimRight(rest[i:], " \t\r\n")
		}
	}
	return ""
}

func yamlKey(key string) string {
	if strings.ContainsAny(key, " #'\"{}[]&*!|>%@`,\n") || strings.HasSuffix(key, ":") || key == "" {
		return strconv.Quote(key)
	}
	return key
}

// scalar encodes a string as YAML: plain if that is safe, otherwise in double quotes. true and false stay booleans.
func scalar(value string) string {
	if value == "true" || value == "false" {
		return value
	}
	plain := value != "" && value == strings.TrimSpace(value) && !strings.Contains(value, ": ") &&
		!strings.Contains(value, " #") &&
		!strings.HasSuffix(value, ":") && strings.IndexByte("-?:,[]{}#&*!|>'\"%@`~=.+0123456789", value[0]) < 0
	for _, r := range value {
		plain = plain && r >= ' ' && r != 0x7f && r < 0xfeff
	}
	switch strings.ToLower(value) {
	case "null", "yes", "no", "on", "off", "y", "n", "true", "false":
		plain = false
	}
	if plain {
		return value
	}
	var b strings.Builder
	jsontree.Quote(&b, value) // YAML's double-quoted strings support JSON's escapes
	return b.String()
}
