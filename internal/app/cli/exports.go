package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

type exportsCommands struct {
	Start    exportsStartCommand    `cmd:"" help:"Start a static export of the site on a domain."`
	Wait     exportsWaitCommand     `cmd:"" help:"Wait until an export has finished."`
	Link     exportsLinkCommand     `cmd:"" help:"Create a temporary download link to an export's bundle."`
	Download exportsDownloadCommand `cmd:"" help:"Download an export's bundle and verify it."`
	List     exportsListCommand     `cmd:"" help:"List exports, newest first."`
	Cancel   exportsCancelCommand   `cmd:"" help:"Cancel a queued or running export."`
}

type exportsStartCommand struct {
	remote
	Domain string   `arg:"" help:"Domain of the site."`
	Label  string   `placeholder:"VERSION" help:"Version label."`
	Path   []string `placeholder:"PAGE" help:"Page to export; can be repeated. Default: all pages."`
	Groups []string `placeholder:"GROUP" help:"Export what readers in these groups see; a list with commas, or repeated. Default: readers in no group."`
	Wait   bool     `help:"Wait until the export has finished."`
	Out    string   `placeholder:"FILE" help:"Wait, then download the bundle to this file, as exports download does."`
}

// Help returns the long description.
func (exportsStartCommand) Help() string {
	return `Prints the job's id. With --wait, exits with 1 if the export failed.

    job=$(lectern exports start docs.localhost --wait)
    lectern exports download "$job" --out site.tar.gz

The same in one command:

    lectern exports start docs.localhost --out site.tar.gz`
}

func (c *exportsStartCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	job, err := cl.StartExport(ctx, client.StartExport{Domain: c.Domain, Version: c.Label, Paths: c.Path,
		Groups: c.Groups})
	if err != nil {
		return err
	}
	switch {
	case c.Out != "":
		if _, err := c.follow(ctx, r, cl, job.JobID); err != nil {
			return err
		}
		return c.download(ctx, r, cl, job.JobID, c.Out, "")
	case c.Wait:
		return c.await(ctx, r, cl, job.JobID)
	}
	return c.result(r, job, line(job.JobID))
}

// await waits for a job, shows its progress, and prints the result.
func (c remote) await(ctx context.Context, r *run, cl *client.Client, jobID string) error {
	job, err := c.follow(ctx, r, cl, jobID)
	if job == nil {
		return err
	}
	if printErr := c.result(r, job, line(job.JobID)); printErr != nil {
		return printErr
	}
	return err
}

// follow waits for a job and shows its progress, and its findings if it failed. The job is nil if the server did not
// return it.
func (c remote) follow(ctx context.Context, r *run, cl *client.Client, jobID string) (*client.ExportJob, error) {
	bar := r.progress(c.JSON)
	job, err := cl.WaitExport(ctx, jobID, func(j client.ExportJob) {
		bar.show(j.Progress, exportLine(j))
	})
	bar.end()
	if job != nil && job.Status == client.ExportStatusFailed && !c.JSON {
		printDiagnostics(r.Stderr, local(job.Diagnostics), "--json")
	}
	return job, err
}

// exportLine describes what a job is doing: the server's message, speed and remaining time.
func exportLine(j client.ExportJob) string {
	text := strings.TrimSuffix(j.Message, ".")
	if text == "" { // a server of the first release has no message
		text = fmt.Sprintf("%s, %s", j.Status, count(j.PageCount, "page"))
	}
	if j.PagesPerSecond != nil {
		text += fmt.Sprintf(", %.0f pages/s", *j.PagesPerSecond)
	}
	if j.SecondsLeft != nil && !j.Status.Ended() {
		text += fmt.Sprintf(", about %s left", time.Duration(*j.SecondsLeft)*time.Second)
	}
	return text
}

type exportsWaitCommand struct {
	remote
	JobID string `arg:"" name:"job-id" help:"Id of the job, such as se_…"`
}

// Help returns the long description.
func (exportsWaitCommand) Help() string {
	return `Prints the job's id, and exits with 1 if the export failed.

    lectern exports wait se_aaaaaaaaaaaaaaaaaaaaaaaaaa`
}

func (c *exportsWaitCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	return c.await(ctx, r, cl, c.JobID)
}

type exportsCancelCommand struct {
	remote
	JobID string `arg:"" name:"job-id" help:"Id of the job, such as se_…"`
}

// Help returns the long description.
func (exportsCancelCommand) Help() string {
	return `Prints the job's id. A running export stops within a second and leaves no files.

    lectern exports cancel se_aaaaaaaaaaaaaaaaaaaaaaaaaa`
}

func (c *exportsCancelCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	job, err := cl.CancelExport(ctx, c.JobID)
	if err != nil {
		return err
	}
	return c.result(r, job, line(job.JobID))
}

type exportsListCommand struct {
	remote
	Status string `enum:"queued,running,completed,failed," default:"" placeholder:"STATUS" help:"Only exports with this status: queued, running, completed or failed."`
	Limit  int    `default:"100" help:"Maximum number of results."`
}

func (c *exportsListCommand) Run(ctx context.Context, r *run) error {
	if c.Limit < 1 {
		return fault.New(fault.Invalid, "invalid_field", "--limit must be 1 or more.").WithField("limit")
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	all := client.ExportJobList{Jobs: []client.ExportJob{}}
	for page := (client.ListExportsParams{Status: client.ExportStatus(c.Status)}); ; {
		page.Limit = min(c.Limit-len(all.Jobs), 100)
		list, err := cl.ListExports(ctx, page)
		if err != nil {
			return err
		}
		all.Jobs, all.NextCursor = append(all.Jobs, list.Jobs...), list.NextCursor
		if list.NextCursor == nil || len(all.Jobs) >= c.Limit {
			break
		}
		page.Cursor = *list.NextCursor
	}
	return c.result(r, all, func(w io.Writer) error {
		var rows [][]string
		for _, j := range all.Jobs {
			rows = append(rows, []string{j.JobID, j.Domain, string(j.Status), fmt.Sprintf("%.0f %%", j.Progress),
				fmt.Sprint(j.PageCount), orNone(j.Version), day(j.CreatedAt), exportLine(j)})
		}
		return printTable(w, []string{"JOB ID", "DOMAIN", "STATUS", "PROGRESS", "PAGES", "VERSION", "CREATED", "DOING"},
			rows)
	})
}
