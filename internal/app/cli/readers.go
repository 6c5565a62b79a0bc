package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

type readersCommands struct {
	Show    readersShowCommand    `cmd:"" help:"Show who may read a project's site."`
	Set     readersSetCommand     `cmd:"" help:"Set who may read a project's site."`
	SignOut readersSignOutCommand `cmd:"" help:"Sign all readers of a project's site out."`
}

type readersShowCommand struct {
	remote
	ProjectID string `arg:"" help:"The project's id."`
}

func (c *readersShowCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	a, err := cl.GetReaderAccess(ctx, c.ProjectID)
	if err != nil {
		return err
	}
	return c.result(r, a, func(w io.Writer) error {
		return printTable(w, []string{"READERS", "SIGNED IN", "CHANGED"},
			[][]string{{a.Mode, strconv.FormatInt(a.ReaderSessions, 10), dayOr(a.UpdatedAt, "never")}})
	})
}

type readersSetCommand struct {
	remote
	ProjectID  string `arg:"" help:"The project's id."`
	Mode       string `arg:"" help:"public, password, organization, oidc, saml or jwt."`
	SecretFile string `placeholder:"FILE" help:"File with the password. Default: standard input."`
	Settings   string `placeholder:"FILE" help:"JSON file with providers for oidc and saml, or jwt for jwt, as the API takes them."`
}

// Help returns the long description.
func (readersSetCommand) Help() string {
	return `Takes effect within a second, and signs all readers of the site out. The password is read from standard input or from a file, never from an argument, which other users of the machine could see.

    lectern readers set prj_… organization
    lectern readers set prj_… password --secret-file password.txt
    lectern readers set prj_… oidc --settings provider.json
    lectern readers set prj_… saml --settings provider.json
    lectern readers set prj_… public`
}

func (c *readersSetCommand) Run(ctx context.Context, r *run) error {
	in, err := c.read()
	if err != nil {
		return err
	}
	if c.Mode == "password" {
		secret, err := secretFlags{SecretFile: c.SecretFile}.read(r)
		if err != nil {
			return err
		}
		in.Password = secret
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	a, err := cl.SetReaderAccess(ctx, c.ProjectID, in)
	if err != nil {
		return err
	}
	return c.result(r, a, line(a.Mode))
}

// read reads the settings file and sets the mode.
func (c *readersSetCommand) read() (in client.SetReaderAccess, err error) {
	if c.Settings != "" {
		raw, err := os.ReadFile(c.Settings)
		if err == nil {
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.DisallowUnknownFields()
			err = decoder.Decode(&in)
		}
		if err != nil {
			return in, fault.Newf(fault.Invalid, "bad_flag", "--settings: %s cannot be read as JSON settings.", c.Settings).
				WithCause(err)
		}
	}
	in.Mode = c.Mode
	return in, nil
}

type readersSignOutCommand struct {
	remote
	ProjectID string `arg:"" help:"The project's id."`
}

func (c *readersSignOutCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	if err := cl.EndReaderSessions(ctx, c.ProjectID); err != nil {
		return err
	}
	fmt.Fprintln(r.Stderr, "All readers were signed out.")
	return nil
}
