package openapi

import (
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/yamltree"
)

// sourceLimits bound one description, whichever its format.
func sourceLimits() jsontree.Limits {
	return jsontree.Limits{Bytes: maxFile, Depth: maxDepth, Values: maxValues}
}

// parseYAML returns a *jsontree.SyntaxError when src is not YAML. Of several documents the first holds.
func parseYAML(name string, src []byte) (*jsontree.Document, error) {
	return yamltree.Parse(name, src, yamltree.Options{Limits: sourceLimits()})
}
