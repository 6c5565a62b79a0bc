// Package viewcheck checks that a bundle contains nothing that its readers may not see. It compares the bundle with
// the docs folder that it was built from.
//
// Inputs: a bundle, its docs folder, and the view that the bundle was built for. Outputs: findings with their
// positions: files, titles and words of withheld pages that are in the bundle. It never builds the site again: it
// searches for what must not be in the bundle, no matter how it got there.
package viewcheck
