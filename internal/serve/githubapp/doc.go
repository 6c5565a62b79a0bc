// Package githubapp lets a person create a GitHub App for their organization from a manifest.
//
// Inputs: who asks and for which GitHub; what GitHub sends back through the person's browser, which is untrusted.
// Outputs: the form that the browser posts to GitHub; the App with its private key.
// It never accepts a state twice, from another person or for another organization, and stores no secret. A key that the
// caller cannot store at once is given to the browser, encrypted for the same person.
package githubapp
