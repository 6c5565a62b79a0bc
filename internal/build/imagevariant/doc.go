// Package imagevariant creates narrower copies of an author's image for the sizes at which pages show it, as JPEG,
// or as PNG if the image has transparent parts.
//
// Inputs: a PNG or JPEG file. Outputs: copies, each smaller in bytes than the image itself, with its colour profile.
// The same file always gives the same bytes. It never decodes an image whose header claims more than MaxPixels or that
// would take disproportionate time. It never returns a copy that would look different, so animations, rotated
// photographs and images in print or video colours have no copies.
package imagevariant
