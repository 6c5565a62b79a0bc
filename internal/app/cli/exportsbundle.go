package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

type exportsLinkCommand struct {
	remote
	JobID  string `arg:"" name:"job-id" help:"Id of the job, such as se_…"`
	Format string `enum:"tar.gz,zip," default:"" placeholder:"FORMAT" help:"tar.gz or zip. Default: tar.gz."`
}

// Help returns the long description.
func (exportsLinkCommand) Help() string {
	return `Prints only the link; with --json also its expiry, and the size, SHA-256 and version of the bundle. Anyone with the link can download the bundle.

    job=$(lectern exports start docs.localhost --wait)
    lectern exports link "$job" > bundle-url`
}

func (c *exportsLinkCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	link, err := cl.CreateExportBundle(ctx, c.JobID,
		client.CreateExportBundleParams{Format: client.BundleFormat(c.Format)})
	if err != nil {
		return err
	}
	return c.result(r, link, line(link.BundleURL))
}

type exportsDownloadCommand struct {
	remote
	JobID  string `arg:"" name:"job-id" help:"Id of the job, such as se_…"`
	Out    string `required:"" placeholder:"FILE" help:"File to write."`
	Format string `enum:"tar.gz,zip," default:"" placeholder:"FORMAT" help:"tar.gz or zip. Default: from the file name extension of --out, otherwise tar.gz."`
}

// Help returns the long description.
func (exportsDownloadCommand) Help() string {
	return `The file appears at --out only when it is complete and its SHA-256 matches the one from the server.

    lectern exports download se_aaaaaaaaaaaaaaaaaaaaaaaaaa --out site.zip`
}

// downloadResult is the result of a download as printed with --json.
type downloadResult struct {
	JobID     string              `json:"jobId"`
	Out       string              `json:"out"`
	Format    client.BundleFormat `json:"format"`
	SizeBytes int64               `json:"sizeBytes"`
	SHA256    string              `json:"sha256"`
	Version   *string             `json:"version"`
}

func (c *exportsDownloadCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	return c.download(ctx, r, cl, c.JobID, c.Out, client.BundleFormat(c.Format))
}

// download fetches a bundle in a format; if that is "", the file name's extension determines it. The file appears only
// once it is complete.
func (c remote) download(ctx context.Context, r *run, cl *client.Client, jobID, out string,
	format client.BundleFormat) error {
	if format == "" && formatOf(out) != "dir" {
		format = client.BundleFormat(formatOf(out))
	}
	link, err := cl.CreateExportBundle(ctx, jobID, client.CreateExportBundleParams{Format: format})
	if err != nil {
		return err
	}
	file, err := openFile(out, id.Source{Rand: r.Rand}.New(".partial-"))
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
	result := downloadResult{link.JobID, out, link.Format, size, sha, link.Version}
	return c.result(r, result, line(fmt.Sprintf("%s (%d bytes, sha256 %s)", out, size, sha)))
}

// counting shows the progress of writing a known number of bytes.
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
