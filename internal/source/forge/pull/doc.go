// Package pull is the contract between the code host drivers and those who open pull requests.
//
// In: what a pull request shall say; what a code host reports of one.
// Out: one shape for every host's pull request (GitLab calls them merge requests).
// Never: the name of a code host, approving or merging: what an agent proposes, people decide (G4).
package pull
