// Package layout wraps a page in the site's layout: head, banner, navbar, sidebar, page header and menu, outline,
// paging, footer.
//
// Inputs: the site model, a rendered page, and a Links that writes URLs. Outputs: the bytes of a whole HTML document,
// and the style sheet with the icons of the navigation. It never writes unescaped text, an inline script or style, or a
// URL that neither comes from Links nor starts with a constant. The cost of a page does not depend on how many pages
// the site has.
package layout
