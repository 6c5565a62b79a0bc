// Package esm parses the import and export statements of a page.
//
// Inputs: lines that start with import or export; whole blocks of them.
// Outputs: whether the statements are complete; what they import and export, with offsets.
// It never resolves, evaluates or bundles, and it does not know what a module contains.
package esm
