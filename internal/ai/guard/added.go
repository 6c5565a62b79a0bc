package guard

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/site/draft"
)

// moved holds everything that the changes remove. Text that was removed in one place and added in another was moved,
// not written by the agent.
type moved struct {
	whole   map[string]bool // contents of removed files
	lines   map[string]bool // their lines, trimmed
	secrets map[string]bool // secrets in them
}

func movedFrom(changes []draft.Change) moved {
	m := moved{whole: map[string]bool{}, lines: map[string]bool{}, secrets: map[string]bool{}}
	for _, change := range changes {
		if change.After != nil || change.Before == nil {
			continue
		}
		m.whole[string(change.Before)] = true
		if change.Text() {
			collect(string(change.Before), m.lines, m.secrets)
		}
	}
	return m
}

func collect(text string, lines, secrets map[string]bool) {
	for line := range strings.Lines(text) {
		lines[strings.TrimSpace(line)] = true
	}
	for _, s := range findSecrets(text) {
		secrets[text[s.from:s.to]] = true
	}
}

// added is a changed file, with the information about which of its lines are new.
type added struct {
	path          string
	before, after string
	lines         []string // of after, with line ends
	starts        []int    // offset of each line
	fresh         []bool   // the line did not occur in the file before
	old           map[string]bool
	moved         moved
}

// newAdded compares by lines and ignores white space at their ends: a line that was only moved or indented is not
// new.
func newAdded(change draft.Change, m moved) *added {
	a := &added{path: change.Path, before: string(change.Before), after: string(change.After), old: map[string]bool{},
		moved: m}
	lines := map[string]bool{}
	collect(a.before, lines, a.old)
	at := 0
	for line := range strings.Lines(a.after) {
		key := strings.TrimSpace(line)
		a.lines, a.starts = append(a.lines, line), append(a.starts, at)
		a.fresh = append(a.fresh, key != "" && !lines[key] && !m.lines[key])
		at += len(line)
	}
	return a
}

// line returns the line number of an offset, starting at 1.
func (a *added) line(offset int) int {
	low, high := 0, len(a.starts)
	for low < high {
		if mid := (low + high) / 2; a.starts[mid] <= offset {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return max(low, 1)
}

// touches reports whether any line in a range of offsets is new.
func (a *added) touches(from, to int) bool {
	for i := a.line(from) - 1; i < len(a.starts) && a.starts[i] < max(to, from+1); i++ {
		if a.fresh[i] {
			return true
		}
	}
	return false
}
