// Package imagevariant makes narrower copies of an author's picture for the sizes at which pages show it, as JPEG, or as
// PNG where the picture has transparent parts.
//
// Inputs: a PNG or JPEG file.
// Outputs: copies, each smaller in bytes than the picture itself, with its colour profile. The same file always gives
// the same bytes.
// Never: decodes a picture that claims more than MaxPixels, or takes longer than its size explains; returns a copy that
// would look different: animations, turned photographs and pictures in colours of print or video have none.
package imagevariant
