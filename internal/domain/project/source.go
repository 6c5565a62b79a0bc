package project

import (
	"net/url"
	"strings"
)

// Repositories that no caller can name, because they are no Git URLs.
const (
	BuiltIn = "builtin://docs" // the documentation inside this program
	Own     = "own://docs"     // a repository that this server keeps for the project
)

// GitFolder is where on this server the repositories of the embedded code host are read from.
const GitFolder = "/git/"

// GitPath returns where the repository is that the embedded code host keeps for a project.
func GitPath(organizationID, projectID string) string {
	return GitFolder + organizationID + "/" + projectID + ".git"
}

// Disk returns where on the server's own disk the source is; ok is false for one elsewhere. Everything that git or the
// server itself could open as a local path counts, in whatever spelling.
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
		return "", true // local, but at no path that could be allowed
	}
	return u.Path, true
}

// Local reports whether the source is on the server's own disk.
func (s Source) Local() bool {
	_, ok := s.Disk()
	return ok
}

// Embedded reports whether the source has no code host, so that changes to it are proposed on the embedded one: a
// folder or repository on this server's disk, the documentation inside this program, or what was made of it.
func (s Source) Embedded() bool {
	return s.Local() || s.Repository == BuiltIn || s.Repository == Own
}

// Kinds of sources.
const (
	KindFolder     = "folder"     // on the server's disk
	KindRepository = "repository" // a Git repository that others manage
	KindEmbedded   = "embedded"   // a Git repository that this server keeps
	KindBuiltIn    = "built-in"   // the documentation inside this program
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
