// Package forge selects the driver for a code host: GitHub, GitLab, Gitea and Forgejo, or Bitbucket. Each host's
// vocabulary stays in its own driver.
//
// Inputs: the raw header and body of a webhook request and the secret shared with the code host; a repository's address
// and a credential.
// Outputs: the push or pull request event, once its signature is verified; the repository as a pull.Host.
// It never passes on a host's raw payload, trusts a body before it has checked the signature, decides what to build, or
// merges.
package forge
