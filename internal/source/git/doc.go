// Package git fetches documentation sources from Git repositories, proposes changes to them, and keeps repositories of our own. It is
// the only room that runs the git program.
//
// In: a repository's URL, branch and folder, a credential, and a proxy that checks every address git connects to; changed files.
// Out: the head commit of a branch, or the folder's regular files at a commit in an empty folder; a commit on a branch of our own; what two
// branches differ in, and one merged into the other.
// Never: a hook, filter, submodule or large-file download; the caller's environment or git configuration; a secret in an
// argument, a file of the repository, an error or a log; a forced push.
package git
