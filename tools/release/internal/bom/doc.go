// Package bom lists the parts of a program or an image, as a CycloneDX document (SBOM).
//
// Inputs: a program's own record of its modules, the npm packages whose files were packed into it, Debian packages of
// an image; licences as recorded by the licence check (make licences). Outputs: the document, the same bytes for the
// same input. Never: a part that is not actually included; a part whose licence was not reviewed.
package bom
