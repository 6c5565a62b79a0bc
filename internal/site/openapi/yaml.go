package openapi

import (
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/yamltree"
)

// sourceLimits returns the limits of one description in any format.
func sourceLimits() jsontree.Limits {
	return jsontree.Limits{Bytes: maxFile, Depth: maxDepth, Values: maxValues}
}

// parseYAML returns a *jsontree.SyntaxError if src is not YAML. If there are several documents, it reads the first.
func parseYAML(name string, src []byte) (*jsontree.Document, error) {
	return yamltree.Parse(name, src, yamltree.Options{Limits: sourceLimits()})
}
