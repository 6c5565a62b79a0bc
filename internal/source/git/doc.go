// Package git fetches documentation sources from Git repositories, proposes changes to them, and manages the
// server's own repositories. No other package runs the git program.
//
// Inputs: a repository's URL, branch and folder, a credential, and a proxy that checks every address git connects
// to; changed files. Outputs: the head commit of a branch, or the folder's regular files at a commit in an empty
// folder; a commit on one of our own branches; the differences between two branches, and one merged into the other.
// It never runs a hook or filter, fetches a submodule or large file, reads the caller's environment or git
// configuration, force-pushes, or puts a secret into an argument, a file of the repository, an error or a log.
package git
