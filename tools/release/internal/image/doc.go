// Package image builds container images as an OCI layout, without a container engine.
//
// Inputs: for each architecture, layers of files and a list of parts (SBOM); the image's command and user; a time.
// Outputs: an archive of the layout: an index of all architectures, and each list of parts as a referrer of its image;
// conversely, a parsed layout; an image pushed to a registry. It never uses the current time or a base image.
package image
