// Package write changes the source of a page and leaves every byte alone that is not meant.
//
// In: a page's bytes, its tree, and what is to be different.
// Out: edits of spans and the bytes that result; a formatter that proves that the page still means the same.
// Never: writes files, knows a component, prints a tree from scratch.
package write
