package jsbuild

import (
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
)

// Minify writes the platform's own script or style sheet with fewer bytes: no comments, short names inside functions. It says the same,
// for the same browsers; nothing is rewritten for older ones.
func Minify(data []byte, style bool) ([]byte, error) {
	loader := api.LoaderJS
	if style {
		loader = api.LoaderCSS
	}
	result := api.Transform(string(data), api.TransformOptions{
		Loader: loader, Target: api.ESNext, Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	})
	if len(result.Errors) > 0 {
		e := result.Errors[0]
		if e.Location != nil {
			return nil, fmt.Errorf("minify: line %d: %s", e.Location.Line, e.Text)
		}
		return nil, fmt.Errorf("minify: %s", e.Text)
	}
	return result.Code, nil
}
