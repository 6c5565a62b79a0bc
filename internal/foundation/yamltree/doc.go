// Package yamltree parses YAML into the values of package jsontree. It is the only package that reads YAML from
// users, so that one library and one set of limits apply to front matter, API descriptions and settings files.
//
// Inputs: the text of a YAML file from an untrusted author, and limits. Outputs: a jsontree.Document whose values
// have lines and columns, or a *jsontree.SyntaxError at the position of the first error. It never copies the target
// of an alias (aliases share one Value), and rejects documents whose aliases would expand beyond the limits, so
// that a walk over the result terminates.
package yamltree
