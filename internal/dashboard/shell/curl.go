package shell

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Curl returns the call of the admin API that does what a form or page does, for people to copy. body is JSON that the
// caller writes out, or "" for none; parts that people fill in themselves are written in capitals.
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

// Quoted makes a word of a shell's line: it stays as it is where that is safe.
func Quoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/._-=%,@+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Body returns a request's body as curl shows it.
func Body(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("dashboard: encode example: " + err.Error()) // our own values always encode
	}
	return string(raw)
}
