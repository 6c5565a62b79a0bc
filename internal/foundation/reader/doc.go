// Package reader decides which parts of a site a reader may see.
//
// Inputs: the groups that a reader is in, and what an author says about a page: public, groups.
// Outputs: a View, which names one build of a site, and whether it has a part.
// It never identifies a reader.
package reader
