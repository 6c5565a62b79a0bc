// Package imagesize tells how large a picture is drawn, from the first bytes of its file, so that a page can keep its place free.
//
// In: the head of a PNG, JPEG, GIF, WebP, AVIF or SVG file; it may be hostile.
// Out: width and height in CSS pixels, as a browser takes them.
// Never: decodes a picture; reads more than 256 KiB of one; trusts what a file says about its own length.
package imagesize
