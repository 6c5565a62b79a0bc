package island

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed src/server
var files embed.FS

// order is how the prelude's files follow each other; they share one function scope and the last returns what the engine calls.
func order() []string {
	return []string{"guard", "element", "hooks", "render", "value", "scope", "date", "intldate", "intl", "url", "shim", "call"}
}

// Prelude is the script that an engine runs before author code: an expression whose value is {start, define, call}.
func Prelude() (string, error) {
	var b strings.Builder
	b.WriteString("(function(){'use strict';\n")
	for _, name := range order() {
		text, err := files.ReadFile("src/server/" + name + ".js")
		if err != nil {
			return "", fmt.Errorf("read prelude: %w", err)
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	b.WriteString("})()")
	return b.String(), nil
}
