package project

import (
	"net/url"
	"strings"
)

// Repository values that callers cannot set, because they are not Git URLs.
const (
	BuiltIn = "builtin://docs" // the documentation embedded in this program
	Own     = "own://docs"     // a repository that this server manages for the project
)

// GitFolder is the path on this server under which clients read repositories of the embedded code host.
const GitFolder = "/git/"

// GitPath returns the path of the repository that the embedded code host manages for a project.
func GitPath(organizationID, projectID string) string {
	return GitFolder + organizationID + "/" + projectID + ".git"
}

// Disk returns the source's path on the server's own disk; ok is false for remote sources. Everything that git or the
// server itself could open as a local path counts as local, no matter how it is written.
func (s Source) Disk() (at string, ok bool) {
	if s.Path != "" {
		return s.Path, true
	}
	if strings.HasPrefix(s.Repository, "/") {
		return s.Repository, true
	}
	if len(s.Repository) < len("file:") || !strings.EqualFold(s.Repository[:len("file:")], "file:") {
		return "", false
	}
	u, err := url.Parse(s.Repository)
	if err != nil || u.Host != "" || u.Opaque != "" {
		return "", true // local, but not a path that could be allowed
	}
	return u.Path, true
}

// Local reports whether the source is on the server's own disk.
func (s Source) Local() bool {
	_, ok := s.Disk()
	return ok
}

// Embedded reports whether the source has no code host of its own, so that changes are proposed on the embedded one.
// Such sources are folders and repositories on this server's disk, the embedded documentation, and repositories created
// from it.
func (s Source) Embedded() bool {
	return s.Local() || s.Repository == BuiltIn || s.Repository == Own
}

// Kinds of sources.
const (
	KindFolder     = "folder"     // on the server's disk
	KindRepository = "repository" // a Git repository that others manage
	KindEmbedded   = "embedded"   // a Git repository that this server manages
	KindBuiltIn    = "built-in"   // the documentation embedded in this program
)

// Kind returns the kind of the source.
func (s Source) Kind() string {
	switch {
	case s.Path != "":
		return KindFolder
	case s.Repository == BuiltIn:
		return KindBuiltIn
	case s.Repository == Own:
		return KindEmbedded
	}
	return KindRepository
}
