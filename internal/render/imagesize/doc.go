// Package imagesize reads the dimensions of an image from the first bytes of its file, so that a page can reserve space
// for it.
//
// Inputs: the head of a PNG, JPEG, GIF, WebP, AVIF or SVG file; it may be hostile.
// Outputs: width and height in CSS pixels, as browsers compute them.
// Never: decodes an image; reads more than 256 KiB of one; trusts lengths that a file declares.
package imagesize
