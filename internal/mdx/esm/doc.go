// Package esm parses the import and export statements of a page.
//
// Inputs: lines that start with import or export, or whole blocks of them. Outputs: whether the statements are
// complete, and what they import and export, with offsets. It never resolves, evaluates or bundles modules, and does
// not depend on their contents.
package esm
