// Package sitereader is a finished site as a program reads it: search it, take a page out as Markdown.
//
// In: the files of a built site by name.
// Out: hits of its search index, and pages in their Markdown form.
// Never: knows where files are kept, who asks or over which protocol; reads a file of another site.
package sitereader
