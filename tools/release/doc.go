// Command release builds a release's files, verifies a release, pushes its images to a registry, and pins packages from
// Debian.
//
// Inputs: a checkout with packed web files (make packs), the chart and packaging folders, pinned Debian packages, and a
// private key if one is given. Outputs: dist/ with programs, packages, images, chart, lists of parts, provenance,
// checksums and signatures; or the errors in such a folder. Never: puts the current time, or a name or path of this
// machine into released files, or signs with a key that was not given for this purpose.
package main
