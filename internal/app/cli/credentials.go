package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

type credentialsCommands struct {
	List    credentialsListCommand    `cmd:"" help:"List the organization's credentials; their secrets are never shown."`
	Create  credentialsCreateCommand  `cmd:"" help:"Store a credential for repositories, encrypted."`
	Replace credentialsReplaceCommand `cmd:"" help:"Replace a credential's value."`
	Delete  credentialsDeleteCommand  `cmd:"" help:"Delete a credential."`
	Test    credentialsTestCommand    `cmd:"" help:"Ask the code host whether a credential works."`

	Repositories credentialsRepositoriesCommand `cmd:"" help:"List the repositories that a credential can read."`
}

type credentialsListCommand struct{ remote }

func (c *credentialsListCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	list, err := cl.ListCredentials(ctx)
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, one := range list.Credentials {
			rows = append(rows, []string{one.CredentialID, one.Name, one.Kind, one.URL, day(one.CreatedAt),
				day(one.UpdatedAt), dayOr(one.LastUsedAt, "never")})
		}
		return printTable(w, []string{"CREDENTIAL ID", "NAME", "KIND", "FOR", "CREATED", "CHANGED", "LAST USED"}, rows)
	})
}

// secretFlags contains the flags for a credential's address and for the source of its secret. The secret itself is
// never an argument, because other local users could see it.
type secretFlags struct {
	For        string `name:"for" required:"" placeholder:"URL" help:"Host, group or repository that the credential is for, such as https://git.example.com/team or ssh://git.example.com."`
	User       string `help:"Login name for a token, if the code host requires one."`
	AppID      string `name:"app-id" placeholder:"ID" help:"Id of a GitHub App."`
	SecretFile string `placeholder:"FILE" help:"File with the token or private key. Default: standard input."`
}

const maxSecretBytes = 64 << 10

func (f secretFlags) read(r *run) (string, error) {
	from := r.Stdin
	if f.SecretFile != "" {
		file, err := os.Open(f.SecretFile)
		if err != nil {
			return "", fault.Newf(fault.Invalid, "bad_flag", "--secret-file: %s cannot be read.", f.SecretFile).
				WithCause(err)
		}
		defer func() { _ = file.Close() }() // read only
		from = file
	}
	data, err := io.ReadAll(io.LimitReader(from, maxSecretBytes))
	if err != nil {
		return "", fmt.Errorf("read secret: %w", err)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

type credentialsCreateCommand struct {
	remote
	secretFlags
	Name string `arg:"" help:"Name that projects use for it: lower-case letters, digits, dashes and underscores."`
	Kind string `default:"token" placeholder:"KIND" help:"token, ssh-key or github-app."`
}

// Help returns the long description.
func (credentialsCreateCommand) Help() string {
	return `The secret is read from standard input or from a file, stored encrypted, and never shown again. It is only used for repositories at or below the address.

    lectern credentials create docs-bot --for https://git.example.com/team --user bot < token.txt
    lectern credentials create deploy --kind ssh-key --for ssh://git.example.com --secret-file id_ed25519
    lectern credentials create docs-app --kind github-app --app-id 123456 --for https://github.com/acme --secret-file app.pem`
}

func (c *credentialsCreateCommand) Run(ctx context.Context, r *run) error {
	secret, err := c.read(r)
	if err != nil {
		return err
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	made, err := cl.CreateCredential(ctx,
		client.CreateCredential{Name: c.Name, Kind: c.Kind, URL: c.For, User: c.User, AppID: c.AppID, Secret: secret})
	if err != nil {
		return err
	}
	return c.result(r, made, line(made.CredentialID))
}

type credentialsReplaceCommand struct {
	remote
	secretFlags
	Credential string `arg:"" name:"credential" help:"Name or id of the credential."`
}

func (c *credentialsReplaceCommand) Run(ctx context.Context, r *run) error {
	secret, err := c.read(r)
	if err != nil {
		return err
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	credentialID, err := findCredential(ctx, cl, c.Credential)
	if err != nil {
		return err
	}
	made, err := cl.ReplaceCredential(ctx, credentialID,
		client.ReplaceCredential{URL: c.For, User: c.User, AppID: c.AppID, Secret: secret})
	if err != nil {
		return err
	}
	return c.result(r, made, line(made.CredentialID))
}

type credentialsDeleteCommand struct {
	remote
	Credential string `arg:"" name:"credential" help:"Name or id of the credential."`
}

func (c *credentialsDeleteCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	credentialID, err := findCredential(ctx, cl, c.Credential)
	if err != nil {
		return err
	}
	if err := cl.DeleteCredential(ctx, credentialID); err != nil {
		return err
	}
	fmt.Fprintf(r.Stderr, "Credential %s was deleted.\n", c.Credential)
	return nil
}

// findCredential returns the id of a credential given by name or id.
func findCredential(ctx context.Context, cl *client.Client, text string) (string, error) {
	if id.Has(id.Credential, text) {
		return text, nil
	}
	list, err := cl.ListCredentials(ctx)
	if err != nil {
		return "", err
	}
	for _, one := range list.Credentials {
		if one.Name == text {
			return one.CredentialID, nil
		}
	}
	return "", fault.Newf(fault.NotFound, "unknown_credential", "The organization has no credential %q.", text).
		WithHint("Run lectern credentials list to see them.")
}
