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

type projectsReceiptsCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	State     string `enum:"current,stale," default:"" placeholder:"STATE" help:"Only receipts in this state: current or stale."`
	Limit     int    `default:"50" help:"Maximum number of results."`
}

func (c *projectsReceiptsCommand) Run(ctx context.Context, r *run) error {
	if c.Limit < 1 {
		return fault.New(fault.Invalid, "invalid_field", "--limit must be 1 or more.").WithField("limit")
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	all := client.ReceiptList{Receipts: []client.Receipt{}}
	for page := (client.ListReceiptsParams{State: c.State}); ; {
		page.Limit = min(c.Limit-len(all.Receipts), 100)
		list, err := cl.ListReceipts(ctx, c.ProjectID, page)
		if err != nil {
			return err
		}
		all.Receipts, all.NextCursor = append(all.Receipts, list.Receipts...), list.NextCursor
		if list.NextCursor == nil || len(all.Receipts) >= c.Limit {
			break
		}
		page.Cursor = *list.NextCursor
	}
	return c.result(r, all, func(w io.Writer) error {
		var rows [][]string
		for _, p := range all.Receipts {
			rows = append(rows, []string{p.ID, p.State, p.Page, p.Repository, fmt.Sprintf("%s:%d-%d", p.Path, p.Line, p.LastLine),
				p.Commit, orEmpty(p.Sentence)})
		}
		return printTable(w, []string{"ID", "STATE", "PAGE", "REPOSITORY", "LINES", "COMMIT", "SENTENCE"}, rows)
	})
}

type projectsReviewedCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	ReceiptID string `arg:"" name:"receipt-id" help:"Id of the receipt, such as rct_…"`
}

func (c *projectsReviewedCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	if err := cl.DeleteReceipt(ctx, c.ProjectID, c.ReceiptID); err != nil {
		return err
	}
	fmt.Fprintln(r.Stderr, "The receipt was removed.")
	return nil
}

type projectsConnectCommand struct {
	remote
	ProjectID  string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	Name       string `arg:"" help:"Name that agents and people use for the repository, such as server."`
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
