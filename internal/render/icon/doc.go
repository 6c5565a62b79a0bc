// Package icon draws the icons of the three libraries that authors may name: Font Awesome Free, lucide, tabler.
//
// In: the packed libraries (web/npm), a name as authors spell it, a style.
// Out: inline SVG, for the library the site has chosen or the nearest drawing of another.
// Never: reads image files or addresses; takes a byte of an author's text into the SVG; keeps a library in memory that nobody asked for.
package icon
