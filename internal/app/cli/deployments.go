package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

type projectsDeploymentsCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	Kind      string `enum:"production,preview," default:"" placeholder:"KIND" help:"Only deployments of this kind: production or preview."`
	Limit     int    `default:"20" help:"Maximum number of results."`
}

// Help returns the long description.
func (projectsDeploymentsCommand) Help() string {
	return `The deployment that readers see is marked live.

    lectern projects deployments prj_aaaaaaaaaaaaaaaaaaaaaaaaaa --kind production`
}

func (c *projectsDeploymentsCommand) Run(ctx context.Context, r *run) error {
	if c.Limit < 1 {
		return fault.New(fault.Invalid, "invalid_field", "--limit must be 1 or more.").WithField("limit")
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	all := client.DeploymentList{Deployments: []client.DeploymentSummary{}}
	for page := (client.ListDeploymentsParams{Kind: c.Kind}); ; {
		page.Limit = min(c.Limit-len(all.Deployments), 100)
		list, err := cl.ListDeployments(ctx, c.ProjectID, page)
		if err != nil {
			return err
		}
		all.Deployments, all.NextCursor = append(all.Deployments, list.Deployments...), list.NextCursor
		if list.NextCursor == nil || len(all.Deployments) >= c.Limit {
			break
		}
		page.Cursor = *list.NextCursor
	}
	return c.result(r, all, func(w io.Writer) error {
		var rows [][]string
		for _, d := range all.Deployments {
			live := "-"
			if d.Live {
				live = "live"
			}
			rows = append(rows, []string{d.StatusID, d.Kind, string(d.Status), live, fmt.Sprint(d.PageCount), d.Trigger,
				orNone(d.Branch), short(d.Commit), day(d.CreatedAt), orNone(d.URL)})
		}
		return printTable(w, []string{"DEPLOYMENT ID", "KIND", "STATUS", "LIVE", "PAGES", "BY", "BRANCH", "COMMIT",
			"CREATED", "URL"}, rows)
	})
}

// short returns the abbreviated form of a commit.
func short(commit *string) string {
	s := orNone(commit)
	return s[:min(len(s), 12)]
}

type projectsRollbackCommand struct {
	remote
	ProjectID    string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	DeploymentID string `arg:"" name:"deployment-id" help:"Id of the deployment to make live, such as dep_…; lectern projects deployments lists them."`
}

// Help returns the long description.
func (projectsRollbackCommand) Help() string {
	return `The deployment goes live immediately; nothing is built. Updates in progress do not undo the roll-back; the next update does.

    lectern projects rollback prj_aaaaaaaaaaaaaaaaaaaaaaaaaa dep_aaaaaaaaaaaaaaaaaaaaaaaaaa`
}

func (c *projectsRollbackCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	p, err := cl.RollBack(ctx, c.ProjectID, client.RollBack{DeploymentID: c.DeploymentID})
	if err != nil {
		return err
	}
	return c.result(r, p, line(fmt.Sprintf("Readers of %s now see %s.", p.URL, c.DeploymentID)))
}
