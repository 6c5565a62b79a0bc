package jsbuild

import (
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
)

// MinifyStyle minifies the platform's own style sheets. It does not rewrite them for older browsers.
func MinifyStyle(data []byte) ([]byte, error) {
	result := api.Transform(string(data), api.TransformOptions{
		Loader: api.LoaderCSS, Target: api.ESNext, Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent,
		MinifyWhitespace: true, MinifySyntax: true,
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
