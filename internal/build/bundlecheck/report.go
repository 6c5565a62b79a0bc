package bundlecheck

import (
	"crypto/ed25519"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Options are what a receiver expects of a bundle.
type Options struct {
	Limits     Limits                  // zero: Standard
	Version    string                  // label that the manifest must have; "" for any
	PublicKey  ed25519.PublicKey       // nil: a signature is not asked for
	AllowHosts []string                // hosts that pages may load from, as in "cdn.example.com"
	Workers    int                     // 0: one for each processor
	Progress   func(done, total int64) // bytes of the bundle; nil to keep quiet. Called from one goroutine.
}

// Signature says what is known of a bundle's origin.
type Signature string

const (
	Unsigned  Signature = "none"
	Unchecked Signature = "unchecked" // there is one, and no key to check it with
	Valid     Signature = "valid"
	Invalid   Signature = "invalid"
)

// Report is what came of a check.
type Report struct {
	OK        bool           `json:"ok"` // no errors
	Version   string         `json:"version"`
	Commit    string         `json:"commit"`
	Tool      string         `json:"tool"`
	TreeHash  string         `json:"treeHash"`
	Signature Signature      `json:"signature"`
	Files     int            `json:"files"`
	Bytes     int64          `json:"bytes"` // of all files
	Pages     int            `json:"pages"`
	Links     int            `json:"links"`   // to pages and files of the bundle
	Anchors   int            `json:"anchors"` // links to a place on a page
	Assets    int            `json:"assets"`  // files that pages load by themselves
	Scripts   int            `json:"scripts"` // of authors; they were read, not run
	Hosts     []string       `json:"hosts"`   // that readers may go to
	Allowed   map[string]int `json:"allowed"` // addresses that pages load from hosts that the caller allows
	// Contacts are addresses at other hosts that pages would contact, ordered by place; at most maxContacts of
	// ContactCount.
	Contacts     []Contact `json:"contacts"`
	ContactCount int       `json:"contactCount"`
	Errors       int       `json:"errors"`
	Warnings     int       `json:"warnings"`
	Findings     diag.List `json:"findings"` // ordered by place; at most maxFindings
}

// maxFindings bounds the findings of one bundle. All of them are counted.
const maxFindings = 10_000

// maxHosts bounds the list of hosts.
const maxHosts = 10_000

// add takes over what was found in one file.
func (r *Report) add(t *tally) {
	r.Links += t.links
	r.Anchors += t.anchors
	r.Assets += t.assets
	r.Scripts += t.scripts
	r.Errors += t.errors
	r.Warnings += t.warnings
	r.Findings = append(r.Findings, t.list[:min(len(t.list), maxFindings-len(r.Findings))]...)
	r.addContacts(t)
	for host, n := range t.allowed {
		r.Allowed[host] += n
	}
}

// close orders what was found.
func (r *Report) close(hosts map[string]bool) {
	r.OK = r.Errors == 0
	r.Hosts = slices.Sorted(maps.Keys(hosts))
	r.closeContacts()
	left := r.Errors + r.Warnings - len(r.Findings)
	r.Findings.Sort()
	if left > 0 {
		r.Findings.Warnf(diag.Pos{}, "too-many-findings", "There are %d more findings.", left)
	}
	if r.Findings == nil {
		r.Findings = diag.List{}
	}
}

// tally is what was found in one file, or in the list of them.
type tally struct {
	links, anchors, assets int
	allowed                map[string]int
	contacts               []Contact // at most maxTold
	contacted              int
	scripts                int // of authors
	errors, warnings       int
	list                   diag.List // at most maxTold: whatever is wrong more often is only counted
}

// maxFindingsPerFile bounds the findings of one file. Finding a position is expensive, and no reader needs more.
const maxTold = 1000

// placer computes a position when there is a finding for it.
type placer func() diag.Pos

func (t *tally) errorf(at placer, code, format string, args ...any) {
	if t.errors++; len(t.list) < maxTold {
		t.list.Errorf(at(), code, format, args...)
	}
}

func (t *tally) warnf(at placer, code, format string, args ...any) {
	if t.warnings++; len(t.list) < maxTold {
		t.list.Warnf(at(), code, format, args...)
	}
}

// whole returns the place of a file as such.
func whole(file string) placer { return func() diag.Pos { return diag.Pos{File: file} } }
