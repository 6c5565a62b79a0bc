// Package yamltree reads YAML into the values of package jsontree. It is the only package that reads YAML of others, so that one
// library and one set of limits apply to front matter, API descriptions and settings files alike.
//
// Inputs: the text of a YAML file from an author we do not trust, and limits.
// Outputs: a jsontree.Document whose values have lines and columns, or a *jsontree.SyntaxError with the place of the first mistake.
// It never copies what an alias names (aliases share one Value), and it refuses a document whose aliases would multiply beyond the
// limits, so that a walk over the result that follows every reference still ends.
package yamltree
