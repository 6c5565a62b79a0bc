// Package pull defines the interface between the code host drivers and the packages that open pull requests.
//
// Inputs: the title, text and branch of a pull request to open; what a code host reports about one.
// Outputs: one type for every host's pull request (GitLab calls them merge requests).
// It never names a code host, and has no method to approve or merge: people decide on what an agent proposes (G4).
package pull
