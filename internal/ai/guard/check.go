package guard

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Rules are what the operator and the site permit. The zero value is the strictest about files and trusts no hosts, but
// it has no size limits.
type Rules struct {
	// Allow lists files that an agent may change although they are forbidden by default: patterns with *, ? and **,
	// relative to the docs folder. Git's own files stay forbidden.
	Allow []string
	// KnownHosts are the hosts that the site already mentions, from Hosts, and those that the operator trusts.
	KnownHosts map[string]bool
	// RefuseNewHosts makes a link to a new host block the proposal instead of only being reported.
	RefuseNewHosts bool
	// Secrets are values that must not be in any file: the server's own keys and passwords. The check also looks for
	// their usual encodings.
	Secrets  []string
	MaxFiles int   // changed files; 0 = no limit
	MaxBytes int64 // of all changed files together; 0 = no limit
}

// Finding is a problem with a change that a person has to know about.
type Finding struct {
	File  string // "" = all files
	Line  int    // starting at 1, in the changed file; 0 = the whole file
	Code  string // stable identifier, such as secret
	Text  string // one sentence for people; it quotes only kinds of files and host names from the change
	Block bool   // the change must not be proposed
}

// The codes of findings.
const (
	ForbiddenFile = "forbidden-file"
	Secret        = "secret"
	NewHost       = "new-host"
	AddressData   = "address-data"
	Script        = "script"
	Expression    = "expression"
	Integration   = "integration"
	HiddenText    = "hidden-text"
	BinaryFile    = "binary-file"
	TooMuch       = "too-much"
)

// maxFindings limits the number of findings: more would not help a reader, and a hostile change must not exhaust the
// machine's memory.
const maxFindings = 200

// Check reports problems in changes, by file and line. It only considers what the changes add, not what the folder
// already contained.
func Check(changes []draft.Change, rules Rules) []Finding {
	c := checker{rules: rules, moved: movedFrom(changes), allow: patterns(rules.Allow),
		secrets: NewRedactor(rules.Secrets)}
	c.size(changes)
	for _, change := range changes {
		c.file = change.Path
		c.name(change)
		if change.After != nil {
			c.content(change)
		}
	}
	slices.SortStableFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(c.found)
}

// checker checks the changes of one proposal.
type checker struct {
	rules   Rules
	allow   []pattern
	secrets *Redactor
	moved   moved
	file    string // the current file
	found   []Finding
	blocked bool // found contains a finding that blocks
}

// addFinding adds a finding. Once the limit is reached, it adds only the first blocking finding, so that many warnings
// cannot hide it.
func (c *checker) addFinding(line int, what string, block bool, sentence string, args ...any) {
	if len(c.found) >= maxFindings && (c.blocked || !block) {
		return
	}
	c.blocked = c.blocked || block
	c.found = append(c.found,
		Finding{File: c.file, Line: line, Code: what, Block: block, Text: fmt.Sprintf(sentence, args...)})
}

func (c *checker) size(changes []draft.Change) {
	if n := c.rules.MaxFiles; n > 0 && len(changes) > n {
		c.addFinding(0, TooMuch, true, "%d files are changed; the limit is %d.", len(changes), n)
	}
	if n := c.rules.MaxBytes; n > 0 && draft.Size(changes) > n {
		c.addFinding(0, TooMuch, true, "The changed files have %d bytes; the limit is %d.", draft.Size(changes), n)
	}
}

// content checks the content of a new or changed file.
func (c *checker) content(change draft.Change) {
	if c.moved.whole[string(change.After)] {
		return // the same file under another name
	}
	if what := program(change.After); what != "" && !c.allowed(change.Path) &&
		(change.Before == nil || program(change.Before) == "") {
		c.addFinding(0, ForbiddenFile, true, "The file is %s.", what)
	}
	if !change.Text() {
		c.addFinding(0, BinaryFile, false, "The file is not a text file, so its content cannot be reviewed in a diff.")
		return
	}
	text := newAdded(change, c.moved)
	c.secret(text)
	c.hidden(text)
	c.hosts(text)
	c.script(text)
}
