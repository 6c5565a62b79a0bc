// Package githubapp lets a person create a GitHub App for their organization from a manifest.
//
// Inputs: the person and the GitHub server; the data that GitHub sends back through the person's browser, which is
// untrusted. Outputs: the form that the browser posts to GitHub; the App with its private key. It never accepts a
// state twice, from another person or for another organization, and stores no secret. If the caller cannot store the
// key immediately, the browser gets it, encrypted for the same person.
package githubapp
