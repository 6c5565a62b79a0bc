package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/client"
)

type credentialsTestCommand struct {
	remote
	Credential string `arg:"" name:"credential" help:"Name or id of the credential."`
	Repository string `placeholder:"URL" help:"Also check what the credential may do in this repository."`
}

// Help returns the long description.
func (credentialsTestCommand) Help() string {
	return `Exits with 1 if a check fails.

    lectern credentials test docs-bot --repository https://git.example.com/team/docs`
}

func (c *credentialsTestCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	credentialID, err := findCredential(ctx, cl, c.Credential)
	if err != nil {
		return err
	}
	found, err := cl.TestCredential(ctx, credentialID, client.TestCredential{Repository: c.Repository})
	if err != nil {
		return err
	}
	if err := c.result(r, found, func(w io.Writer) error {
		for _, one := range found.Checks {
			fmt.Fprintf(w, "%-8s %s", one.Result, one.Message)
			if one.Hint != nil {
				fmt.Fprintf(w, " %s", *one.Hint)
			}
			fmt.Fprintln(w)
		}
		return nil
	}); err != nil {
		return err
	}
	if !found.Ok {
		return errReported
	}
	return nil
}

type credentialsRepositoriesCommand struct {
	remote
	Credential string `arg:"" name:"credential" help:"Name or id of the credential."`
	Search     string `placeholder:"TEXT" help:"Only repositories with this text in their names."`
}

// Help returns the long description.
func (credentialsRepositoriesCommand) Help() string {
	return `Queries the code host, and lists only repositories at or below the credential's address.

    lectern credentials repositories docs-bot --search docs`
}

func (c *credentialsRepositoriesCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	credentialID, err := findCredential(ctx, cl, c.Credential)
	if err != nil {
		return err
	}
	all := client.RepositoryList{Repositories: []client.Repository{}}
	for page := (client.ListRepositoriesParams{Limit: 100, Search: strings.TrimSpace(c.Search)}); ; {
		list, err := cl.ListRepositories(ctx, credentialID, page)
		if err != nil {
			return err
		}
		all.Repositories = append(all.Repositories, list.Repositories...)
		if list.NextCursor == nil {
			break
		}
		page.Cursor = *list.NextCursor
	}
	return c.result(r, all, func(w io.Writer) error {
		var rows [][]string
		for _, one := range all.Repositories {
			rows = append(rows, []string{one.Name, orNone(one.Branch), one.URL})
		}
		return printTable(w, []string{"REPOSITORY", "BRANCH", "URL"}, rows)
	})
}
