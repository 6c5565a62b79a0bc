// Package forge speaks with code hosts: GitHub, GitLab, Gitea and Forgejo, Bitbucket. Each host's words stay in its own driver;
// this room only chooses between them.
//
// In: an HTTP request that a code host sent, as raw header and body, and the secret shared with it.
// Out: what was pushed, once the signature has proved who says so.
// Never: a host's payload beyond its driver, a body believed before its signature is checked, a decision what to build.
package forge
