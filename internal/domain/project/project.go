// Package project defines documentation projects: where their source is and which domains serve them.
//
// Inputs: the fields of a caller's request. Outputs: a project whose name, domains and folder are well formed. It
// never fetches the source or serves the site.
package project

import (
	"net/url"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Source is where a project's pages come from: either a folder on the server's disk or a Git repository.
type Source struct {
	Path       string // absolute path of a folder; "" for a repository
	Repository string // Git URL; "" for a folder
	Branch     string // "" = the repository's default branch
	Credential string // name of a credential of the organization, or of one that the operator shares with it; "" = none
}

// shortForm matches the short form of an SSH repository: user@host:path.
var shortForm = lazyregexp.New(`^([\w.-]+@)?[\w.-]+:[^/].*$`)

// URL returns the source as a complete URL; for a folder or repository on this disk it starts with file://.
func (s Source) URL() string {
	switch {
	case s.Path != "":
		return (&url.URL{Scheme: "file", Path: s.Path}).String()
	case strings.HasPrefix(s.Repository, "/"):
		return (&url.URL{Scheme: "file", Path: s.Repository}).String()
	case !strings.Contains(s.Repository, "://") && shortForm.MatchString(s.Repository):
		host, at, _ := strings.Cut(s.Repository, ":")
		return "ssh://" + host + "/" + at
	}
	return s.Repository
}

// Project is a documentation project.
type Project struct {
	ID             string
	OrganizationID string
	Name           string
	Source         Source
	DocsFolder     string   // path below the source's root; "" = the root
	Domains        []string // host names, some with a path; the first is the primary one
	LiveID         string   // deployment that readers see; "" until the first success
	PullPreviews   PullPreviews
	HookVersion    int // incremented when the webhook secret is rotated
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// PullPreviews says which pull requests automatically get a preview.
type PullPreviews string

// The values.
const (
	PullsAll  PullPreviews = "all" // including those from forks
	PullsOwn  PullPreviews = "same-repository"
	PullsNone PullPreviews = "off"
)

// CleanPullPreviews validates the setting.
func CleanPullPreviews(s string) (PullPreviews, error) {
	switch p := PullPreviews(s); p {
	case PullsAll, PullsOwn, PullsNone:
		return p, nil
	}
	return "", fault.New(fault.Invalid, "invalid_field", "pullRequestPreviews must be all, same-repository or off.").
		WithField("pullRequestPreviews")
}

// MaxDomains limits a project's domains.
const MaxDomains = 20

// CleanName validates a project's name.
func CleanName(s string) (string, error) {
	n := strings.TrimSpace(s)
	if n == "" || utf8.RuneCountInString(n) > 100 ||
		strings.ContainsFunc(n, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", fault.New(fault.Invalid, "invalid_field", "name must have 1 to 100 printable characters.").
			WithField("name")
	}
	return n, nil
}

// CleanFolder converts a docs folder to its stored form: slash-separated, relative to the source's root.
func CleanFolder(s string) (string, error) {
	f := path.Clean("/" + strings.ReplaceAll(s, "\\", "/"))[1:]
	if strings.Contains("/"+s+"/", "/../") || strings.ContainsRune(s, 0) || len(s) > 512 {
		return "", fault.Newf(fault.Invalid, "invalid_field", "%q is not a folder below the source's root.", s).
			WithField("docsFolder")
	}
	return f, nil
}

// CleanSource checks that exactly one kind of source is given. The package that fetches the source validates the
// URL.
func CleanSource(s Source) (Source, error) {
	switch {
	case s.Path != "" && s.Repository != "":
		return s, fault.New(fault.Invalid, "invalid_field", "source has both path and repository; set only one.").
			WithField("source")
	case s.Path == "" && s.Repository == "":
		return s, fault.New(fault.Invalid, "missing_field", "source must have path or repository.").WithField("source")
	case s.Path != "" && (s.Branch != "" || s.Credential != ""):
		return s, fault.New(fault.Invalid, "invalid_field", "A source folder cannot have a branch or a credential.").
			WithField("source")
	case s.Path != "" && !path.IsAbs(s.Path):
		return s, fault.New(fault.Invalid, "invalid_field", "source.path must be an absolute path.").
			WithField("source.path")
	}
	return s, nil
}
