package shell

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Curl returns the curl command that corresponds to a form or page, so that users can copy it. body is JSON, or "" for
// none; placeholders are in capitals.
func Curl(base, method, path, body string) string {
	var b strings.Builder
	b.WriteString("curl")
	if method != "GET" {
		b.WriteString(" -X " + method)
	}
	fmt.Fprintf(&b, " %s \\\n  -H \"Authorization: Bearer $LECTERN_KEY\"", Quoted(base+path))
	if body != "" {
		fmt.Fprintf(&b, " \\\n  -H \"Content-Type: application/json\" \\\n  -d %s", Quoted(body))
	}
	return b.String()
}

// Quoted quotes a word for a shell, if necessary.
func Quoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/._-=%,@+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Body encodes a request body for display.
func Body(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("dashboard: encode example: " + err.Error()) // our own values can always be encoded
	}
	return string(raw)
}
