// Package slug turns headings and file paths into parts of URLs. It is the only place with that rule.
//
// Inputs: heading text as a reader sees it; file paths of a docs folder.
// Outputs: heading ids, unique per page through Set; page paths.
// It never knows which pages exist, or how a link is written.
package slug
