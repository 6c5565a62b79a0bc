// Package githost serves the repositories of the embedded code host over HTTP, for reading: git clone and git fetch work, git push does not.
//
// In: requests of git's smart protocol below /git/, with an admin API key as the password.
// Out: what git upload-pack answers about the repository of a project of the key's organization.
// Never: changes a repository; tells whether a repository of another organization exists; reads a repository that somebody else keeps.
package githost
