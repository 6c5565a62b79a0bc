// Package githost serves the repositories of the embedded code host over HTTP, read-only: git clone and git fetch
// work, git push does not.
//
// Inputs: requests in git's smart protocol below /git/, with an admin API key as the password. Outputs: the output of
// git upload-pack for a project's repository in the key's organization. It never changes a repository, reveals
// whether another organization's repository exists, or reads a repository on another code host.
package githost
