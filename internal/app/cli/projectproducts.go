package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

type projectsProductsCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
}

func (c *projectsProductsCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	list, err := cl.ListProductRepositories(ctx, c.ProjectID)
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, p := range list.ProductRepositories {
			rows = append(rows, []string{p.ID, p.Name, orEmpty(p.Source.Repository), orEmpty(p.Source.Branch), orEmpty(p.Commit)})
		}
		return printTable(w, []string{"ID", "NAME", "REPOSITORY", "BRANCH", "COMMIT"}, rows)
	})
}

type projectsConnectCommand struct {
	remote
	ProjectID  string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	Name       string `arg:"" help:"What agents and people call the repository, such as server."`
	Repository string `required:"" placeholder:"URL" help:"Git repository with the product's code."`
	Branch     string `help:"Branch. Default: the repository's default branch."`
	Credential string `placeholder:"NAME" help:"Name of a credential."`
}

func (c *projectsConnectCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	made, err := cl.CreateProductRepository(ctx, c.ProjectID, client.CreateProductRepository{Name: c.Name,
		Source: client.SourceInput{Repository: c.Repository, Branch: c.Branch, Credential: c.Credential}})
	if err != nil {
		return err
	}
	return c.result(r, made, line(made.ID))
}

type projectsDisconnectCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	Name      string `arg:"" help:"Name of the product repository."`
}

func (c *projectsDisconnectCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	list, err := cl.ListProductRepositories(ctx, c.ProjectID)
	if err != nil {
		return err
	}
	for _, p := range list.ProductRepositories {
		if p.Name != c.Name {
			continue
		}
		if err := cl.DeleteProductRepository(ctx, c.ProjectID, p.ID); err != nil {
			return err
		}
		fmt.Fprintf(r.Stderr, "Product repository %s was disconnected.\n", p.Name)
		return nil
	}
	return fault.Newf(fault.NotFound, "unknown_product_repository", "Product repository not found: %q.", c.Name)
}
