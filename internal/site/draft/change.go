package draft

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/linediff"
)

// Change is a file that differs between the base and the draft.
type Change struct {
	Path   string // slash-separated, relative to the folder
	From   string // path of Before if the file was renamed, otherwise ""
	Before []byte // nil for a new file
	After  []byte // nil for a removed file
}

// Kind returns added, removed, renamed or changed. The content of a renamed file may have changed too.
func (c Change) Kind() string {
	switch {
	case c.From != "":
		return "renamed"
	case c.Before == nil:
		return "added"
	case c.After == nil:
		return "removed"
	}
	return "changed"
}

// Text reports whether both sides can be shown line by line.
func (c Change) Text() bool { return isText(c.Before) && isText(c.After) }

func isText(data []byte) bool { return utf8.Valid(data) && !bytes.ContainsRune(data, 0) }

// Hunks compares the two sides. It returns nil for binary files.
func (c Change) Hunks() []linediff.Hunk {
	if !c.Text() {
		return nil
	}
	return linediff.Hunks(string(c.Before), string(c.After))
}

// Patch returns the changes in the format that git and patch use. It omits the content of binary files.
func Patch(list []Change) string {
	var b strings.Builder
	for _, c := range list {
		from, to := "a/"+cmp.Or(c.From, c.Path), "b/"+c.Path
		b.WriteString("diff --git " + from + " " + to + "\n")
		if c.From != "" {
			b.WriteString("rename from " + c.From + "\nrename to " + c.Path + "\n")
			if bytes.Equal(c.Before, c.After) {
				continue
			}
		}
		if c.Before == nil {
			b.WriteString("new file mode 100644\n")
			from = "/dev/null"
		}
		if c.After == nil {
			b.WriteString("deleted file mode 100644\n")
			to = "/dev/null"
		}
		if !c.Text() {
			b.WriteString("Binary files " + from + " and " + to + " differ\n")
			continue
		}
		b.WriteString(linediff.Unified(from, to, string(c.Before), string(c.After)))
	}
	return b.String()
}

// Size returns the total size of the changed files after the changes, in bytes.
func Size(list []Change) (bytes int64) {
	for _, c := range list {
		bytes += int64(len(c.After))
	}
	return bytes
}
