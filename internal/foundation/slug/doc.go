// Package slug is the one rule from a heading or a file path to a piece of a URL.
//
// In: heading text as a reader sees it; file paths of a docs folder.
// Out: heading ids, unique per page through Set; page paths.
// Never: knows which pages exist, or how a link is written.
package slug
