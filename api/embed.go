package api

import (
	_ "embed"
	"fmt"

	"github.com/goccy/go-yaml"
)

//go:embed openapi.yaml
var description []byte

// JSON returns the description as JSON, with anchors and merge keys expanded and keys in the file's order, so that the
// bytes (and an ETag made from them) are the same for every call of one build.
func JSON() ([]byte, error) {
	out, err := yaml.YAMLToJSON(description)
	if err != nil {
		return nil, fmt.Errorf("convert API description: %w", err)
	}
	return out, nil
}
