// Package gitrepo fetches documentation sources from Git repositories. It is the only room that runs the git program.
//
// In: a repository's URL, branch and folder, a credential, and a proxy that checks every address git connects to.
// Out: the head commit of a branch, or the folder's regular files at that commit in an empty folder.
// Never: a hook, filter, submodule or large-file download; the caller's environment or git configuration; a secret in an
// argument, a file of the repository, an error or a log.
package gitrepo
