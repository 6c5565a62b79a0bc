package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
)

type exportsCommands struct {
	Start    exportsStartCommand    `cmd:"" help:"Start a static export of the site on a domain."`
	Wait     exportsWaitCommand     `cmd:"" help:"Wait until an export has ended."`
	Download exportsDownloadCommand `cmd:"" help:"Download an export's bundle, and check it."`
	List     exportsListCommand     `cmd:"" help:"List exports, newest first."`
	Cancel   exportsCancelCommand   `cmd:"" help:"Stop an export that waits or runs."`
}

type exportsStartCommand struct {
	remote
	Domain string   `arg:"" help:"Domain of the site."`
	Label  string   `placeholder:"VERSION" help:"Version label of your choice."`
	Path   []string `placeholder:"PAGE" help:"Page to export; repeat it for several. Without it, all."`
	Wait   bool     `help:"Wait until the export has ended."`
}

// Help is the long description.
func (exportsStartCommand) Help() string {
	return `It prints the job's id. With --wait it exits with 1 when the export failed.

    job=$(lectern exports start docs.localhost --wait)
    lectern exports download "$job" --out site.tar.gz`
}

func (c *exportsStartCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	job, err := cl.StartExport(ctx, client.StartExport{Domain: c.Domain, Version: c.Label, Paths: c.Path})
	if err != nil {
		return err
	}
	if !c.Wait {
		return c.result(r, job, line(job.JobID))
	}
	return c.await(ctx, r, cl, job.JobID)
}

// await waits for a job, shows its progress, and prints it.
func (c remote) await(ctx context.Context, r *run, cl *client.Client, jobID string) error {
	bar := r.progress(c.JSON)
	job, err := cl.WaitExport(ctx, jobID, func(j client.ExportJob) {
		bar.show(j.Progress, exportLine(j))
	})
	bar.end()
	if job == nil {
		return err
	}
	if job.Status == client.ExportFailed && !c.JSON {
		printDiagnostics(r.Stderr, local(job.Diagnostics))
	}
	if printErr := c.result(r, job, line(job.JobID)); printErr != nil {
		return printErr
	}
	return err
}

// exportLine says what a job is doing, as far as the server told: its sentence, speed and time left.
func exportLine(j client.ExportJob) string {
	text := strings.TrimSuffix(j.Message, ".")
	if text == "" { // a server of the first release
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
	JobID string `arg:"" name:"job-id" help:"Job's id, such as se_…"`
}

// Help is the long description.
func (exportsWaitCommand) Help() string {
	return `It prints the job's id, and exits with 1 when the export failed.

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
	JobID string `arg:"" name:"job-id" help:"Job's id, such as se_…"`
}

// Help is the long description.
func (exportsCancelCommand) Help() string {
	return `It prints the job's id. A running export stops within a second and leaves no files.

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

type exportsDownloadCommand struct {
	remote
	JobID  string `arg:"" name:"job-id" help:"Job's id, such as se_…"`
	Out    string `required:"" placeholder:"FILE" help:"File to write."`
	Format string `enum:"tar.gz,zip," default:"" placeholder:"FORMAT" help:"tar.gz or zip. Without it, what the ending of --out says, or else tar.gz."`
}

// Help is the long description.
func (exportsDownloadCommand) Help() string {
	return `The file appears at --out only when it is whole and its SHA-256 is the one the server named.

    lectern exports download se_aaaaaaaaaaaaaaaaaaaaaaaaaa --out site.zip`
}

// downloadResult is what came of a download, as --json prints it.
type downloadResult struct {
	JobID     string        `json:"jobId"`
	Out       string        `json:"out"`
	Format    client.Format `json:"format"`
	SizeBytes int64         `json:"sizeBytes"`
	SHA256    string        `json:"sha256"`
	Version   *string       `json:"version"`
}

func (c *exportsDownloadCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	format := client.Format(c.Format)
	if format == "" && formatOf(c.Out) != "dir" {
		format = client.Format(formatOf(c.Out))
	}
	link, err := cl.CreateExportBundle(ctx, c.JobID, format)
	if err != nil {
		return err
	}
	file, err := openFile(c.Out, id.Source{Rand: r.Rand}.New(".partial-"))
	if err != nil {
		return err
	}
	bar := r.progress(c.JSON)
	err = cl.Download(ctx, link, &counting{to: file, total: link.SizeBytes, bar: bar})
	bar.end()
	if err != nil {
		return errors.Join(err, file.abandon())
	}
	size, sha, err := file.commit()
	if err != nil {
		return err
	}
	result := downloadResult{link.JobID, c.Out, link.Format, size, sha, link.Version}
	return c.result(r, result, line(fmt.Sprintf("%s (%d bytes, sha256 %s)", c.Out, size, sha)))
}

// counting shows how much of a known total was written.
type counting struct {
	to          io.Writer
	done, total int64 // bytes
	bar         *progress
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.done += int64(n)
	if c.total > 0 {
		c.bar.show(float64(c.done)*100/float64(c.total), fmt.Sprintf("%d of %d bytes", c.done, c.total))
	}
	return n, err
}

type exportsListCommand struct {
	remote
	Status string `enum:"queued,running,completed,failed," default:"" placeholder:"STATUS" help:"Only exports in this state: queued, running, completed or failed."`
	Limit  int    `default:"100" help:"At most this many."`
}

func (c *exportsListCommand) Run(ctx context.Context, r *run) error {
	if c.Limit < 1 {
		return fault.New(fault.Invalid, "invalid_field", "--limit must be 1 or more.").WithField("limit")
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	all := client.ExportList{Jobs: []client.ExportJob{}}
	for page := (client.Page{}); ; {
		page.Limit = min(c.Limit-len(all.Jobs), 100)
		list, err := cl.ListExports(ctx, page, client.ExportStatus(c.Status))
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
			rows = append(rows, []string{j.JobID, j.Domain, string(j.Status), fmt.Sprintf("%.0f %%", j.Progress), fmt.Sprint(j.PageCount), orNone(j.Version), day(j.CreatedAt), exportLine(j)})
		}
		return printTable(w, []string{"JOB ID", "DOMAIN", "STATUS", "PROGRESS", "PAGES", "VERSION", "CREATED", "DOING"}, rows)
	})
}
