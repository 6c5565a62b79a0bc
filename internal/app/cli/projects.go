package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

type projectsCommands struct {
	Create projectsCreateCommand `cmd:"" help:"Create a project and publish it."`
	List   projectsListCommand   `cmd:"" help:"List projects, newest first."`
	Update projectsUpdateCommand `cmd:"" help:"Publish a project's source again."`
	Status projectsStatusCommand `cmd:"" help:"Show the status of an update, or of a project's latest update."`

	Deployments projectsDeploymentsCommand `cmd:"" help:"List a project's deployments, newest first."`
	Rollback    projectsRollbackCommand    `cmd:"" help:"Make an earlier deployment live again, immediately."`
	Members     projectsMembersCommand     `cmd:"" help:"List who has a role in a project."`
	Role        projectsRoleCommand        `cmd:"" help:"Give a member a role in a project, or take it away."`
	Webhook     projectsWebhookCommand     `cmd:"" help:"Install a project's webhook at its code host, or update it."`
	Products    projectsProductsCommand    `cmd:"" help:"List the product repositories that a project's agents may read."`
	Receipts    projectsReceiptsCommand    `cmd:"" help:"List the lines of product repositories that a project's pages rely on."`
	Reviewed    projectsReviewedCommand    `cmd:"" help:"Remove a receipt after its page was reviewed."`
	Connect     projectsConnectCommand     `cmd:"" help:"Connect a product repository, which agents may read."`
	Disconnect  projectsDisconnectCommand  `cmd:"" help:"Disconnect a product repository."`
}

type projectsCreateCommand struct {
	remote
	Name       string `required:"" help:"Name of the project."`
	Domain     string `required:"" help:"Host name of the site, such as docs.example.com."`
	Path       string `xor:"source" placeholder:"DIR" help:"Source: a folder on the server's disk."`
	Repository string `xor:"source" placeholder:"URL" help:"Source: a Git repository (https, ssh or file), instead of --path."`
	Branch     string `help:"Branch of the repository. Default: the repository's default branch."`
	Credential string `placeholder:"NAME" help:"Name of the credential for the repository."`
	DocsFolder string `placeholder:"FOLDER" help:"Folder of the source that contains the docs. Default: its root."`
	Wait       bool   `help:"Wait until the site is published."`

	InstallWebhook      bool   `help:"Install the webhook at the code host, with the credential."`
	PullRequestPreviews string `enum:",all,same-repository,off" default:"" placeholder:"WHICH" help:"Which pull requests get a preview automatically: all, same-repository (none from forks) or off. Default: all."`
}

// Help returns the long description.
func (projectsCreateCommand) Help() string {
	return `Prints the project's id. For a repository, the secret of the project's webhook is shown only once, on standard error.

    lectern projects create --name Docs --domain docs.localhost --path ./docs --wait
    lectern projects create --name Docs --domain docs.example.com --repository https://git.example.com/team/docs --branch main`
}

func (c *projectsCreateCommand) Run(ctx context.Context, r *run) error {
	if c.Path == "" && c.Repository == "" {
		return fault.New(fault.Invalid, "invalid_field", "A project needs a source: --path or --repository.").
			WithField("source")
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	in := client.CreateProject{Name: c.Name, Domain: c.Domain, DocsFolder: c.DocsFolder,
		PullRequestPreviews: client.PullRequestPreviews(c.PullRequestPreviews), InstallWebhook: c.InstallWebhook,
		Source: client.SourceInput{Path: c.Path, Repository: c.Repository, Branch: c.Branch, Credential: c.Credential}}
	if c.Path != "" {
		if in.Source.Path, err = filepath.Abs(c.Path); err != nil {
			return fmt.Errorf("find source folder: %w", err)
		}
	}
	p, err := cl.CreateProject(ctx, in)
	if err != nil {
		return err
	}
	installed := p.Webhook.Installation
	if c.Wait && p.LastUpdate != nil {
		p, err = c.wait(ctx, r, cl, p)
	}
	if !c.JSON && c.Repository != "" && p.WebhookSecret != nil { // folders have no push webhook
		fmt.Fprintf(r.Stderr, "Webhook %s\nIts secret, shown only once: %s\n", p.Webhook.URL, *p.WebhookSecret)
	}
	if !c.JSON && installed != nil {
		fmt.Fprintln(r.Stderr, strings.TrimSpace(installed.Message+" "+orEmpty(installed.Hint)))
	}
	if !c.JSON {
		for _, d := range p.DomainStates {
			describeChallenge(r.Stderr, d)
		}
	}
	if printErr := c.result(r, p, line(p.ProjectID)); printErr != nil {
		return printErr
	}
	return err
}

// wait waits for the first update and returns the project's state afterwards. It returns the project even if the
// update failed, because the project was created.
func (c *projectsCreateCommand) wait(ctx context.Context, r *run, cl *client.Client,
	p *client.Project) (*client.Project, error) {
	_, err := follow(ctx, r, cl, p.LastUpdate.StatusID, c.JSON)
	now, readErr := cl.GetProject(ctx, p.ProjectID)
	if readErr != nil {
		return p, err
	}
	now.WebhookSecret, now.Webhook.Installation = p.WebhookSecret, p.Webhook.Installation
	return now, err
}

// follow waits for an update, printing its log as it grows, its diagnostics and the site's address.
func follow(ctx context.Context, r *run, cl *client.Client, statusID string, quiet bool) (*client.UpdateStatus, error) {
	out := io.Writer(r.Stderr)
	if quiet {
		out = io.Discard
	}
	printed := 0
	u, err := cl.WaitUpdate(ctx, statusID, func(u client.UpdateStatus) {
		for ; printed < len(u.Logs); printed++ {
			// The reason for a failure is printed only once, as the command's error.
			if u.Error == nil || !strings.HasSuffix(u.Logs[printed], *u.Error) {
				fmt.Fprintln(out, u.Logs[printed])
			}
		}
	})
	if u != nil {
		printDiagnostics(out, local(u.Diagnostics), "--json")
		if u.URL != nil {
			fmt.Fprintf(out, "Published %s at %s\n", count(u.PageCount, "page"), *u.URL)
		}
	}
	return u, err
}

type projectsListCommand struct{ remote }

func (c *projectsListCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	all := client.ProjectList{Projects: []client.Project{}}
	for page := (client.ListProjectsParams{Limit: 100}); ; {
		list, err := cl.ListProjects(ctx, page)
		if err != nil {
			return err
		}
		all.Projects = append(all.Projects, list.Projects...)
		if list.NextCursor == nil {
			break
		}
		page.Cursor = *list.NextCursor
	}
	return c.result(r, all, func(w io.Writer) error {
		var rows [][]string
		for _, p := range all.Projects {
			status := "-"
			if p.LastUpdate != nil {
				status = string(p.LastUpdate.Status)
			}
			rows = append(rows, []string{p.ProjectID, p.Domain, status, day(p.CreatedAt), p.Name})
		}
		return printTable(w, []string{"PROJECT ID", "DOMAIN", "LAST UPDATE", "CREATED", "NAME"}, rows)
	})
}

type projectsUpdateCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	Wait      bool   `help:"Wait until the site is published."`

	AcceptRemovals bool `help:"Publish an update that was held because it removes many pages."`
}

// Help returns the long description.
func (projectsUpdateCommand) Help() string {
	return `Prints the update's status id. With --wait, exits with 1 if the update failed.

An update that would remove many live pages although the source does not remove them fails with update-held, and names
the pages. After you have checked them, publish with --accept-removals.

    lectern projects update prj_aaaaaaaaaaaaaaaaaaaaaaaaaa --wait`
}

func (c *projectsUpdateCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	started, err := cl.StartUpdate(ctx, c.ProjectID, client.StartUpdate{AcceptRemovals: c.AcceptRemovals})
	if err != nil {
		return err
	}
	if !c.Wait {
		return c.result(r, started, line(started.StatusID))
	}
	u, err := follow(ctx, r, cl, started.StatusID, c.JSON)
	if u == nil {
		return err
	}
	if printErr := c.result(r, u, line(started.StatusID)); printErr != nil {
		return printErr
	}
	return err
}

type projectsStatusCommand struct {
	remote
	ID string `arg:"" name:"id" help:"Status id of an update, or id of a project for its latest update."`
}

// Help returns the long description.
func (projectsStatusCommand) Help() string {
	return `Exits with 1 if the update has failed.

    lectern projects status dep_aaaaaaaaaaaaaaaaaaaaaaaaaa`
}

func (c *projectsStatusCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	statusID := c.ID
	if strings.HasPrefix(c.ID, id.Project) {
		p, err := cl.GetProject(ctx, c.ID)
		if err != nil {
			return err
		}
		if p.LastUpdate == nil {
			return c.result(r, p, line("The project has no updates yet."))
		}
		statusID = p.LastUpdate.StatusID
	}
	u, err := cl.GetUpdateStatus(ctx, statusID)
	if err != nil {
		return err
	}
	if err := c.result(r, u, func(w io.Writer) error { return describeUpdate(w, u) }); err != nil {
		return err
	}
	if u.Status == client.UpdateStateFailure {
		return errReported
	}
	return nil
}

func describeUpdate(w io.Writer, u *client.UpdateStatus) error {
	err := printTable(w, []string{"STATUS ID", "PROJECT ID", "KIND", "STATUS", "PAGES", "STARTED", "ENDED", "URL"},
		[][]string{
			{u.StatusID, u.ProjectID, u.Kind, string(u.Status), fmt.Sprint(u.PageCount), day(u.CreatedAt),
				dayOr(u.EndedAt, "-"), orNone(u.URL)}})
	if u.Error != nil {
		fmt.Fprintln(w, *u.Error)
	}
	printDiagnostics(w, local(u.Diagnostics), "--json")
	return err
}
