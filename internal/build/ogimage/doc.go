// Package ogimage draws the preview images that other sites show with a link to a page: 1200 × 630 pixels with the
// site's name and the page's section, title and description.
//
// Inputs: fonts, a site's colours and logo, a page's text; the author's images as bytes. Outputs: one PNG for each
// page, or a JPEG if the author set a background image; the same bytes for the same input. It never draws boxes for
// missing glyphs, decodes an image before it knows its size, or reads SVG.
package ogimage
