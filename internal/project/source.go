package project

import "strings"

// Repositories that no caller can name, because they are no Git URLs.
const (
	BuiltIn = "builtin://docs" // the documentation inside this program
	Own     = "own://docs"     // a repository that this server keeps for the project
)

// Embedded reports whether the source has no code host, so that changes to it are proposed on the embedded one: a folder or repository on
// this server's disk, the documentation inside this program, or what was made of it.
func (s Source) Embedded() bool {
	return s.Local() || s.Repository == BuiltIn || s.Repository == Own || strings.HasPrefix(s.Repository, "/")
}
