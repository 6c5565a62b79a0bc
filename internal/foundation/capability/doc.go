// Package capability lists the dynamic features of a site's pages (search, assistant and so on) and the paths of their
// endpoints.
//
// Inputs: the features that a deployment has.
// Outputs: values that builds, layouts and HTTP hosts share.
// It never decides whether a feature is on.
package capability
