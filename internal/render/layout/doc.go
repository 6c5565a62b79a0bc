// Package layout puts the frame around a page: head, banner, navbar, sidebar, the page's own head and menu, outline, paging, footer.
//
// In: the site model, a rendered page, and a Links that writes addresses.
// Out: the bytes of a whole HTML document, and the style sheet of the signs that navigation shows.
// Never: writes text without escaping it, an inline script or style, or an address that neither Links gave nor a constant of ours starts;
// the cost of a page does not grow with the number of pages of the site.
package layout
