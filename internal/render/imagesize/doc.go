// Package imagesize reads the dimensions of an image from the first bytes of its file, so that a page can reserve
// space for it.
//
// Inputs: the head of a PNG, JPEG, GIF, WebP, AVIF or SVG file, which is not trusted. Outputs: width and height in
// CSS pixels, as browsers compute them. It never decodes an image, reads more than 256 KiB of one, or trusts
// lengths that a file declares.
package imagesize
