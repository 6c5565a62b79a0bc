// Package image makes container images as an OCI layout, without a container engine.
//
// Inputs: for each architecture layers of files and a list of parts (SBOM); what the image runs, as which user; a time.
// Outputs: an archive of the layout: an index of all architectures, and each list of parts as a referrer of its image; or,
// the other way, the layout read back; the image sent to a registry. Never: the clock; a base image.
package image
