// Command release builds the files of a release, verifies a release, pushes its images to a registry, and pins
// packages from Debian.
//
// Inputs: a checkout with packed web files (make packs), the chart and packaging folders, pinned Debian packages, and
// a private key if one is given. Outputs: dist/ with programs, packages, images, chart, lists of parts, provenance,
// checksums and signatures; or what is wrong with such a folder. Never: the current time, or a name or path of this
// machine in released files; a signature with a key that was not given for it.
package main
