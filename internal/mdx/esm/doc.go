// Package esm reads the import and export statements of a page.
//
// In: lines that start with import or export; whole blocks of them.
// Out: whether the statements are complete; what they import and export, with offsets.
// Never: resolves, evaluates or bundles; knows what a module holds.
package esm
