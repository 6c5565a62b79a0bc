// Package layout puts the frame around a page: head, navbar, sidebar, outline, paging, footer.
//
// In: the site model, a rendered page, and a Links that writes addresses.
// Out: the bytes of a whole HTML document.
// Never: writes text without escaping it, an inline script or style, or an address that Links did not give;
// the cost of a page does not grow with the number of pages of the site.
package layout
