// Package ogimage draws the pictures that other sites show beside a link to a page: 1200 × 630 pixels with the site's name, the page's
// section, title and description.
//
// In: typefaces, the look of a site, the words of a page; pictures of the author as bytes.
// Out: one PNG for each page, or a JPEG where the author gave a picture to draw on; the same bytes for the same words.
// Never: draws boxes for letters its faces lack; unpacks a picture before it knows how large it is; reads SVG.
package ogimage
