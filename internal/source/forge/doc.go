// Package forge speaks with code hosts: GitHub, GitLab, Gitea and Forgejo, Bitbucket. Each host's words stay in its own driver;
// this room only chooses between them.
//
// In: an HTTP request that a code host sent, as raw header and body, and the secret shared with it; a repository's address and a credential.
// Out: what was pushed or became of a pull request, once the signature has proved who says so; the repository as a pull.Host.
// Never: a host's payload beyond its driver, a body believed before its signature is checked, a decision what to build, a merge.
package forge
