// Package bom lists what a program or an image is made of, as a CycloneDX document (SBOM).
//
// Inputs: a program's own record of its modules, the npm packages whose files were packed into it, Debian packages of an
// image; licences as the licence gate (make licences) recorded them. Outputs: the document, the same bytes for the same
// input. Never: a part that is not really there; a part whose licence was not reviewed.
package bom
