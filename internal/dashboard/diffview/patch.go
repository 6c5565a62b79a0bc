package diffview

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// The format of a patch from package draft:
//
//	patch  = file*
//	file   = "diff --git a/PATH b/PATH" ["new file mode 100644"] ["deleted file mode 100644"] (binary | text)
//	       | "diff --git a/FROM b/PATH" "rename from FROM" "rename to PATH" [binary | text]
//	binary = "Binary files SIDE and SIDE differ"
//	text   = "--- SIDE" "+++ SIDE" hunk*
//	hunk   = "@@ -N,N +N,N @@" line*                    as many lines as its header counts
//	line   = (" " | "-" | "+") TEXT ["\ No newline at end of file"]
//
// SIDE is a/PATH, b/PATH or /dev/null. The content of a line can never be mistaken for a header, since lines are
// counted.

// File is a patch's change of a file.
type File struct {
	Path   string
	From   string // previous path, if it was renamed, or ""
	Kind   string // added, removed, renamed or changed
	Binary bool   // there are no lines to show
	Lines
}

const noEnd = `\ No newline at end of file`

// Parse parses a patch. It keeps up to most lines of all files together; if a file does not fit, its lines are only
// counted.
func Parse(patch string, most int) ([]File, error) {
	r := &reader{rest: patch}
	var out []File
	for r.rest != "" {
		f, err := r.file(most)
		if err != nil {
			return nil, fmt.Errorf("read patch, line %d: %w", r.at, err)
		}
		most -= len(f.List)
		out = append(out, f)
	}
	return out, nil
}

// reader reads a patch line by line.
type reader struct {
	rest string
	at   int // number of the last line read
}

// next returns the next line, without its line ending.
func (r *reader) next() string {
	line, rest, _ := strings.Cut(r.rest, "\n")
	r.rest = rest
	r.at++
	return line
}

// skip reads the next line if it equals line.
func (r *reader) skip(line string) bool {
	found := strings.HasPrefix(r.rest, line+"\n")
	if found {
		r.next()
	}
	return found
}

func (r *reader) file(most int) (f File, err error) {
	var ok bool
	f.Kind = "changed"
	head := r.next()
	if f.From, f.Path, ok = r.rename(head); ok {
		f.Kind = "renamed"
		if r.rest == "" || strings.HasPrefix(r.rest, "diff --git ") {
			return f, nil // the content is unchanged
		}
	} else if f.Path, ok = pathOf(head); !ok {
		return f, fmt.Errorf("the header of a file is missing")
	}
	from, to := "a/"+cmp.Or(f.From, f.Path), "b/"+f.Path
	if r.skip("new file mode 100644") {
		from, f.Kind = "/dev/null", "added"
	}
	if r.skip("deleted file mode 100644") {
		to, f.Kind = "/dev/null", "removed"
	}
	if r.skip("Binary files " + from + " and " + to + " differ") {
		f.Binary = true
		return f, nil
	}
	if !r.skip("--- "+from) || !r.skip("+++ "+to) {
		return f, fmt.Errorf("the sides of a file are missing")
	}
	for strings.HasPrefix(r.rest, "@@") {
		if err := r.hunk(&f.Lines, most); err != nil {
			return f, err
		}
	}
	f.Lines = f.done()
	return f, nil
}

// pathOf parses the path in a file header, which contains it twice.
func pathOf(head string) (string, bool) {
	rest, ok := strings.CutPrefix(head, "diff --git a/")
	n := (len(rest) - len(" b/")) / 2
	if !ok || n < 1 || rest != rest[:n]+" b/"+rest[:n] {
		return "", false
	}
	return rest[:n], true
}

// rename parses the two lines after the header of a renamed file. They are needed to split the header, since paths
// may contain " b/".
func (r *reader) rename(head string) (from, to string, ok bool) {
	at := *r
	from, begins := strings.CutPrefix(at.next(), "rename from ")
	to, follows := strings.CutPrefix(at.next(), "rename to ")
	if !begins || !follows || from == "" || to == "" || head != "diff --git a/"+from+" b/"+to {
		return "", "", false
	}
	*r = at
	return from, to, true
}

func (r *reader) hunk(out *Lines, most int) error {
	at, olds, news, ok := headOf(r.next())
	if !ok {
		return fmt.Errorf("the header of a hunk is malformed")
	}
	out.open(most)
	for olds > 0 || news > 0 {
		if r.rest == "" {
			return fmt.Errorf("a hunk ends too early")
		}
		line := r.next()
		if line == "" {
			return fmt.Errorf("a line has no prefix")
		}
		switch line[0] {
		case '-':
			olds--
		case '+':
			news--
		case ' ':
			olds, news = olds-1, news-1
		default:
			return fmt.Errorf("a line has no prefix")
		}
		if olds < 0 || news < 0 {
			return fmt.Errorf("a hunk has more lines than its header says")
		}
		out.add(&at, line[0], line[1:], most)
		r.skip(noEnd)
	}
	return nil
}

// headOf parses a hunk header, which states where the hunk starts and how many lines it has in both texts. If it has no
// lines in a text, the start is one line earlier.
func headOf(head string) (at side, olds, news int, ok bool) {
	head, begins := strings.CutPrefix(head, "@@ -")
	head, ends := strings.CutSuffix(head, " @@")
	left, right, two := strings.Cut(head, " +")
	if at.old, olds, ok = rangeOf(left); !ok || !begins || !ends || !two {
		return at, 0, 0, false
	}
	at.fresh, news, ok = rangeOf(right)
	return at, olds, news, ok
}

func rangeOf(s string) (first, n int, ok bool) {
	left, right, two := strings.Cut(s, ",")
	first, err := numberOf(left)
	if err != nil || !two {
		return 0, 0, false
	}
	n, err = numberOf(right)
	return first, n, err == nil
}

// numberOf parses a number of lines, which has no sign and fits into 31 bits.
func numberOf(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err
}
