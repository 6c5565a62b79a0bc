// Package diffview lays texts that people compare out for pages: what changed, line by line and word by word, and what an agent says of it.
//
// In: two texts, a patch as package draft writes it, or a text with a little Markdown. All of it is untrusted.
// Out: lines, parts of lines, blocks and spans for templates.
// Never: makes HTML, reads a file, or keeps more lines than it is told to.
package diffview
