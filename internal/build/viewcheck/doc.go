// Package viewcheck proves that a bundle has nothing that its readers may not see, from the bundle itself and the docs
// folder that it was built from.
//
// Inputs: a bundle, its docs folder, and the view that the bundle should be of.
// Outputs: findings: files, titles and words of withheld pages that are in the bundle, with their places.
// It never builds the site again: it looks for what must not be there, however it came there.
package viewcheck
