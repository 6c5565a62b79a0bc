package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const defaultURL = "http://127.0.0.1:8080"

// remote contains the flags of commands that connect to a server.
type remote struct {
	URL     string `name:"url" group:"Server" placeholder:"URL" help:"Address of the server. Default: LECTERN_URL, otherwise http://127.0.0.1:8080."`
	KeyFile string `name:"key-file" group:"Server" placeholder:"FILE" help:"File with the admin API key. Default: LECTERN_KEY. There is no flag for the key itself, because other users of the machine can read command lines."`
	JSON    bool   `name:"json" help:"Print the result as one JSON object, in the format of the API."`
}

// client returns a client with the address and key from flags or environment.
func (c remote) client(r *run) (*client.Client, error) {
	env := r.env.Client()
	base := defaultURL
	for _, u := range []string{env.URL, c.URL} { // the flag takes precedence
		if u != "" {
			base = u
		}
	}
	key, err := c.key(env.Key)
	if err != nil {
		return nil, err
	}
	cl, err := client.New(base, key, client.WithUserAgent("lectern/"+r.Version))
	if err != nil {
		return nil, fault.New(fault.Invalid, "bad_setting",
			"url: the server's address must be an http or https URL without user or query.").
			WithField("url").WithHint("Set by --url or LECTERN_URL.").WithCause(err)
	}
	return cl, nil
}

func (c remote) key(fromEnv string) (string, error) {
	key := fromEnv
	if c.KeyFile != "" {
		data, err := os.ReadFile(c.KeyFile)
		if err != nil {
			return "", fault.Newf(fault.Invalid, "bad_setting", "key-file: the file %s cannot be read.", c.KeyFile).
				WithField("key-file").WithCause(err)
		}
		key = string(data)
	}
	if key = strings.TrimSpace(key); key == "" {
		return "", fault.New(fault.Unauthenticated, "no_key", "The admin API key is missing.").
			WithHint(
				"Set LECTERN_KEY, or pass a file with --key-file. `lectern keys create` creates a key on the server's machine.")
	}
	return key, nil
}

// result prints v as JSON if --json is set, and otherwise calls text.
func (c remote) result(r *run, v any, text func(io.Writer) error) error {
	if c.JSON {
		return printJSON(r.Stdout, v)
	}
	return text(r.Stdout)
}

// line returns a text function for result that prints one line.
func line(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := fmt.Fprintln(w, s)
		return err
	}
}

// local converts a server's diagnostics to our type.
func local(list []client.Diagnostic) diag.List {
	var out diag.List
	for _, d := range list {
		out = append(out, diag.Diagnostic{File: d.File, Line: d.Line, Column: d.Column,
			Severity: diag.Severity(d.Severity), Code: d.Code, Message: d.Message, Hint: d.Hint})
	}
	return out
}

func orNone(s *string) string {
	if s == nil {
		return "-"
	}
	return orDash(*s)
}
