// Package diffview prepares texts for comparison on a page: changes by line and by word, and an agent's message about
// the changes.
//
// Inputs: two texts, a patch in the format of package draft, or a text with a little Markdown. All of it is
// untrusted. Outputs: lines, parts of lines, blocks and spans for templates. It never produces HTML, reads a file, or
// keeps more lines than its caller allows.
package diffview
