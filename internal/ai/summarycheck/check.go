package summarycheck

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/linediff"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Finding is a sentence that the changes do not support.
type Finding struct {
	Sentence string // at most maxSentence characters, without line breaks; "" = the summary is empty
	Why      string // a sentence
}

func (f Finding) String() string {
	if f.Sentence == "" {
		return f.Why
	}
	return fmt.Sprintf("%q: %s", f.Sentence, f.Why)
}

const (
	maxSentence = 200 // characters of a finding
	maxFindings = 20
	maxSummary  = 8000 // characters that are read
)

// Check returns the claims of a summary that the changes do not support, in the order of the text.
func Check(summary string, changes []draft.Change) (out []Finding) {
	diff := newEvidence(changes)
	for _, s := range sentences(clip.Runes(summary, maxSummary)) {
		if why := diff.contradicts(s); why != "" {
			out = append(out, Finding{Sentence: clip.Runes(s.text, maxSentence), Why: why})
		}
		if len(out) == maxFindings {
			break
		}
	}
	return out
}

// evidence is what the changes contain.
type evidence struct {
	paths []string // of changed files, in lower case
	texts []string // of both sides of changed files, in lower case
	lines []string // changed lines of both sides, in lower case
}

func newEvidence(changes []draft.Change) evidence {
	var e evidence
	for _, c := range changes {
		e.paths = append(e.paths, strings.ToLower(c.Path))
		e.texts = append(e.texts, strings.ToLower(string(c.Before)), strings.ToLower(string(c.After)))
		for _, h := range linediff.Hunks(string(c.Before), string(c.After)) {
			for _, l := range h.Lines {
				if l.Kind != ' ' {
					e.lines = append(e.lines, strings.ToLower(l.Text))
				}
			}
		}
	}
	return e
}

// contradicts returns the reason why a sentence is wrong, or "" if it claims nothing or the changes confirm its claim.
func (e evidence) contradicts(s sentence) string {
	claim, ok := s.claim()
	switch {
	case !ok:
		return ""
	case len(e.paths) == 0:
		return "No file was changed."
	}
	for _, f := range claim.files {
		if !e.changed(f) {
			return fmt.Sprintf("%s was not changed.", f)
		}
	}
	if claim.count > len(e.paths) {
		return "Only " + countOf(len(e.paths), "file") + " changed."
	}
	for _, t := range claim.edits {
		if !within(t, e.lines) && !within(t, e.paths) {
			return fmt.Sprintf("No changed line contains %q.", t)
		}
	}
	for _, t := range claim.texts {
		if !within(t, e.texts) && !within(t, e.paths) {
			return fmt.Sprintf("None of the changed files contains %q.", t)
		}
	}
	return ""
}

func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// changed reports whether a file with this path, or one whose path ends with it, has changed. The extension of a
// page may be omitted.
func (e evidence) changed(name string) bool {
	name = strings.ToLower(strings.Trim(path.Clean("/"+name), "/"))
	for _, p := range e.paths {
		plain := strings.TrimSuffix(p, path.Ext(p))
		for _, whole := range []string{p, plain, strings.TrimSuffix(plain, "/index")} {
			if whole == name || strings.HasSuffix(whole, "/"+name) || strings.HasSuffix(name, "/"+whole) {
				return true
			}
		}
		if strings.HasPrefix(p, name+"/") { // a folder
			return true
		}
	}
	return false
}

// within reports whether a text occurs in one of the lower-case texts of a list.
func within(text string, list []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(list, func(whole string) bool { return strings.Contains(whole, text) })
}
