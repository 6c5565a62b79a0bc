// Package sitereader gives programs access to a finished site: it searches it and returns pages as Markdown.
//
// Inputs: the files of a built site by name. Outputs: hits of its search index, and pages in their Markdown form. It
// does not depend on where files are stored, on who calls it or on a protocol, and never reads a file of another site.
package sitereader
