// Package slug converts headings and file paths to parts of URLs. No other package implements these rules.
//
// Inputs: heading text as readers see it; file paths of a docs folder. Outputs: heading ids, unique per page through
// Set; page paths. It does not depend on which pages exist, or on how links are written.
package slug
