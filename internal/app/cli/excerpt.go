package cli

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

const (
	maxExcerptFile = 8 << 20 // bytes; no excerpts of larger files
	excerptWidth   = 100     // maximum number of characters of a source line
)

// sourceLines returns lines of source files. It caches the last file, since findings are sorted by file.
type sourceLines struct {
	src   fs.FS
	file  string
	lines [][]byte
}

func newSourceLines(src fs.FS) *sourceLines { return &sourceLines{src: src} }

// line returns a line of a file, counted from 1, without its line ending; false if it does not exist.
func (s *sourceLines) line(file string, n int) (string, bool) {
	if file != s.file {
		s.file, s.lines = file, nil
		if info, err := fs.Stat(s.src, file); err == nil && info.Mode().IsRegular() && info.Size() <= maxExcerptFile {
			if data, err := fs.ReadFile(s.src, file); err == nil {
				s.lines = bytes.Split(data, []byte("\n"))
			}
		}
	}
	if n < 1 || n > len(s.lines) {
		return "", false
	}
	return strings.ToValidUTF8(strings.TrimSuffix(string(s.lines[n-1]), "\r"), "\uFFFD"), true
}

// printExcerpts prints findings grouped by file, each with its source line and a mark below the position.
//
//	guides/start.mdx
//	  5:12  warning: Page or file not found: "/gone". [broken-link]
//	   5 │ See [this](/gone).
//	     │            ^
//	   hint: …
func printExcerpts(w io.Writer, lines *sourceLines, list diag.List, all bool) {
	file := "\x00"
	findingsPrinter{w: w, all: all, how: "--all", write: func(d diag.Diagnostic) {
		if d.File != file {
			if file != "\x00" {
				fmt.Fprintln(w)
			}
			if file = d.File; file != "" {
				fmt.Fprintln(w, harmless(file))
			}
		}
		where := ""
		if d.Line > 0 {
			where = fmt.Sprintf("%d:%d  ", d.Line, d.Column)
		}
		fmt.Fprintf(w, "  %s%s\n", where, diag.Diagnostic{Severity: d.Severity, Code: d.Code, Message: d.Message})
		printExcerpt(w, lines, d)
	}}.print(list)
}

func printExcerpt(w io.Writer, lines *sourceLines, d diag.Diagnostic) {
	source, _ := lines.line(d.File, d.Line)
	text := []rune(source)
	if strings.TrimSpace(string(text)) == "" {
		return
	}
	column := min(max(d.Column, 1), len(text)+1) - 1 // from 0; the position after the last character is valid too
	first := 0
	if column > excerptWidth-20 {
		first = column - excerptWidth/2
	}
	shown := text[first:min(len(text), first+excerptWidth)]
	number := fmt.Sprint(d.Line)
	fmt.Fprintf(w, "    %s │ %s\n", number, harmless(string(shown)))
	if d.Column == 0 {
		return
	}
	below := make([]rune, column-first)
	for i := range below {
		below[i] = ' '
		if text[first+i] == '\t' {
			below[i] = '\t' // keeps the alignment with the line above
		}
	}
	fmt.Fprintf(w, "    %s │ %s^\n", strings.Repeat(" ", len(number)), string(below))
}

// harmless replaces control characters, which a terminal would interpret.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
