// Package icon draws icons from the three supported libraries: Font Awesome Free, Lucide and Tabler.
//
// Inputs: the packed libraries (web/npm), a name as authors spell it, a style. Outputs: inline SVG from the site's
// library, or the most similar icon of another library. It never reads image files or URLs, copies an author's text
// into the SVG, or loads a library before it is needed.
package icon
