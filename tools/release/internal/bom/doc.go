// Package bom lists the parts of a program or an image in a CycloneDX document (SBOM).
//
// Inputs: a program's own record of its modules, the npm packages whose files were packed into it, an image's Debian
// packages; licences as recorded by the licence check (make licences). Outputs: the document, the same bytes for the
// same input. Never: lists a part that is not actually included, or one whose licence was not reviewed.
package bom
