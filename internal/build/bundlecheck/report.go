package bundlecheck

import (
	"crypto/ed25519"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Options holds the recipient's expectations of a bundle.
type Options struct {
	Limits     Limits                  // zero: Standard
	Version    string                  // label that the manifest must have; "" for any
	PublicKey  ed25519.PublicKey       // nil: a signature is not required
	AllowHosts []string                // hosts that pages may load from, such as "cdn.example.com"
	Workers    int                     // 0: one for each processor
	Progress   func(done, total int64) // bytes of the bundle; may be nil. Called from one goroutine.
}

// Signature is the result of verifying a bundle's signature.
type Signature string

const (
	Unsigned  Signature = "none"
	Unchecked Signature = "unchecked" // there is a signature, but no key to verify it
	Valid     Signature = "valid"
	Invalid   Signature = "invalid"
)

// Report is the result of a check.
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
	Anchors   int            `json:"anchors"` // links to an anchor on a page
	Assets    int            `json:"assets"`  // files that pages load automatically
	Scripts   int            `json:"scripts"` // authors' scripts, which were read, not run
	Hosts     []string       `json:"hosts"`   // hosts that readers may visit
	Allowed   map[string]int `json:"allowed"` // number of addresses that pages load from permitted hosts, by host
	// Contacts lists addresses on other hosts that pages would contact, sorted by position; at most maxContacts of
	// ContactCount.
	Contacts     []Contact `json:"contacts"`
	ContactCount int       `json:"contactCount"`
	Errors       int       `json:"errors"`
	Warnings     int       `json:"warnings"`
	Findings     diag.List `json:"findings"` // sorted by position; at most maxFindings
}

// maxFindings limits the findings of one bundle. All of them are counted.
const maxFindings = 10_000

// maxHosts limits the list of hosts.
const maxHosts = 10_000

// add adds the results for one file.
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

// close sorts the results.
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

// tally is the result for one file, or for the list of files.
type tally struct {
	links, anchors, assets int
	allowed                map[string]int
	contacts               []Contact // at most maxTold
	contacted              int
	scripts                int // authors' scripts
	errors, warnings       int
	list                   diag.List // at most maxTold; further findings are only counted
}

// maxTold limits the findings of one file. Computing a position is expensive, and recipients do not need more findings.
const maxTold = 1000

// placer computes a position. It is only called if there is a finding at that position.
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

// whole returns the position of a file as a whole.
func whole(file string) placer { return func() diag.Pos { return diag.Pos{File: file} } }
