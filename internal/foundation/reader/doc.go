// Package reader decides which parts of a site a reader may see.
//
// Inputs: the groups of a reader, and an author's settings for a page: public, groups. Outputs: a View, which
// identifies one build of a site, and whether it includes a part. It never identifies a reader.
package reader
