package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/source/git"
)

type exportCommand struct {
	Dir              string   `arg:"" help:"Docs folder: the folder with docs.json."`
	Out              string   `required:"" placeholder:"FILE|DIR" help:"Archive or folder to create."`
	Format           string   `enum:"tar.gz,zip,dir," default:"" placeholder:"FORMAT" help:"tar.gz, zip or dir. Default: from the file name extension of --out (.tar.gz, .tgz or .zip), otherwise dir."`
	Label            string   `placeholder:"VERSION" help:"Version of the bundle, for manifest.json and for serve-bundle --version. Default: tree- and the start of a digest of the folder's files; with --path also -p and the start of a digest of the paths, with --groups -g and one of the groups."`
	BaseURL          string   `name:"base-url" placeholder:"URL" help:"Address of the published site, such as https://docs.example.com or https://example.com/docs, for canonical links, the sitemap and images of link previews."`
	Path             []string `placeholder:"PAGE" help:"Page to export; can be repeated. Default: all pages."`
	ResponsiveImages bool     `default:"true" negatable:"" help:"Make narrower copies of large images for phones to load instead."`
	Force            bool     `help:"Write into a folder that contains other files."`
	JSON             bool     `name:"json" help:"Print one JSON object at the end instead of progress."`
	groupsFlag
	scriptFlag
	cacheFlags
	signFlag
	fetchFlags
}

// Help returns the long description.
func (exportCommand) Help() string {
	return `The same sources always give the same bytes. Exits with 0 only if every page was written; otherwise --out is left unchanged.

    lectern export ./docs --out site.tar.gz
    lectern export ./docs --out public --base-url https://docs.example.com
    lectern export ./docs --out site.zip --label v1.2 --path index --path guides/start
    lectern export ./docs --out partners.zip --groups partner,beta`
}

// exportResult is the result of an export as printed with --json.
type exportResult struct {
	OK          bool      `json:"ok"`
	Out         string    `json:"out"`
	Format      string    `json:"format"`
	Version     string    `json:"version"`
	Pages       int       `json:"pages"`
	Failed      int       `json:"failed"`
	Files       int       `json:"files"`
	Bytes       int64     `json:"bytes"` // total size of the files
	TreeHash    string    `json:"treeHash"`
	ArchiveSize int64     `json:"archiveBytes,omitempty"`
	SHA256      string    `json:"sha256,omitempty"` // of the archive
	Seconds     float64   `json:"seconds"`
	Diagnostics diag.List `json:"diagnostics"`
}

func (c *exportCommand) Run(ctx context.Context, r *run) error {
	if err := c.complete(); err != nil {
		return err
	}
	scripts, err := c.scripts(r)
	if err != nil {
		return err
	}
	fetcher, err := c.fetcher()
	if err != nil {
		return err
	}
	signer, err := c.signer()
	if err != nil {
		return err
	}
	defer paceCollector()()
	started := r.Now()
	src, closeSource, err := openSource(c.Dir, c.Out)
	if err != nil {
		return err
	}
	defer closeSource()
	cache, err := c.begin(r, c.Dir)
	if err != nil {
		return err
	}
	defer cache.close()
	past, err := c.openPast(ctx, r, src, cache)
	if err != nil {
		return err
	}
	dates := git.LocalDates(ctx, "", c.Dir)
	opt := cache.into(build.Options{
		BaseURL: c.BaseURL, Links: link.Relative, Version: c.Label, Tool: r.Version, Now: build.Day(r.Now()),
		View: c.view(), Paths: c.Path, Manifest: true, Cards: true, ResponsiveImages: c.ResponsiveImages,
		Scripts: scripts, Fetch: fetcher, Offers: capability.Offers{Search: true,
			Playground: capability.Playground{On: true, Proxy: capability.MayHaveProxy},
			External:   capability.External{On: true}},
		Modified: modified(dates), Repository: repository(ctx, c.Dir), Signer: signer,
		Sum: past.source.Has,
	})
	result, done := past.find(c, opt, dates)
	if !done {
		if result, err = c.export(ctx, r, past, opt); err != nil {
			return err
		}
	}
	result.Seconds = r.Now().Sub(started).Seconds()
	return c.printResult(r, result)
}

// export builds the site and moves it into place.
func (c *exportCommand) export(
	ctx context.Context, r *run, past *pastExport, opt build.Options,
) (result exportResult, err error) {
	to, err := c.target(r, past.output.Index)
	if err != nil {
		return result, err
	}
	bar := r.progress(c.JSON)
	opt.Progress, opt.SourceRead = bar.build, func() { past.examineAgain(ctx) }
	report, err := build.Build(ctx, past.src, opt, to)
	bar.end()
	defer past.examining.Wait()
	if err != nil {
		return result, errors.Join(err, to.abandon())
	}
	result = exportResult{
		OK: whole(report), Out: c.Out, Format: c.Format, Version: c.Label, Pages: report.Pages, Failed: report.Failed,
		Files: report.Files, Bytes: report.Bytes,
		TreeHash: report.TreeHash, Diagnostics: append(diag.List{}, report.Diagnostics...),
	}
	if !result.OK {
		return result, to.abandon()
	}
	if result.ArchiveSize, result.SHA256, err = to.commit(); err == nil {
		past.store(to, result)
	}
	return result, err
}

// complete validates the flags and sets defaults.
func (c *exportCommand) complete() (err error) {
	if c.Label, err = export.CleanVersion(c.Label); err != nil {
		return err
	}
	if c.Format == "" {
		if ending := filepath.Ext(c.Out); slices.Contains([]string{".tar", ".gz", ".bz2", ".xz", ".zst", ".7z", ".rar"},
			strings.ToLower(ending)) && formatOf(c.Out) == "dir" {
			return fault.Newf(fault.Invalid, "invalid_field",
				"The name of an archive must end in .tar.gz, .tgz or .zip, not in %s.", ending).
				WithField("out").WithHint("To write a folder with that name, add --format dir.")
		}
		c.Format = formatOf(c.Out)
	}
	if c.BaseURL == "" {
		return nil
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" ||
		u.Fragment != "" || u.User != nil || u.Path != "" && !plainPath.MatchString(u.Path) {
		return fault.Newf(fault.Invalid, "invalid_field",
			"--base-url must be an address such as https://docs.example.com or https://example.com/docs, not %q.",
			c.BaseURL).WithField("base-url")
	}
	return nil
}

// plainPath matches the paths below which a site can be served; serve-bundle has the same rule.
var plainPath = lazyregexp.New(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`)

// label derives a version from the name of the content and the selected pages, so that the same files have the same
// version in any folder.
func (c *exportCommand) label(name string) {
	pages := make([]string, 0, len(c.Path))
	for _, written := range c.Path {
		page, _ := slug.Clean(written) // an invalid path fails the build
		pages = append(pages, page)
	}
	c.Label = export.Label(name, pages, c.view().Groups)
}

// formatOf returns the format for a file name's extension.
func formatOf(out string) string {
	switch lower := strings.ToLower(out); {
	case strings.HasSuffix(lower, ".tar.gz"), strings.HasSuffix(lower, ".tgz"):
		return "tar.gz"
	case strings.HasSuffix(lower, ".zip"):
		return "zip"
	}
	return "dir"
}

// whole reports whether every page was written.
func whole(r *build.Report) bool {
	return r.Failed == 0 && r.Pages > 0 && !r.Diagnostics.HasErrors()
}

// printResult prints the result.
func (c *exportCommand) printResult(r *run, result exportResult) error {
	var err error
	switch {
	case c.JSON:
		err = printJSON(r.Stdout, result)
	default:
		printDiagnostics(r.Stderr, result.Diagnostics, "lectern check --all")
		if !result.OK {
			fmt.Fprintf(r.Stderr, "lectern: Nothing was written, because the site has errors (%s failed).\n",
				count(result.Failed, "page"))
			return errReported
		}
		archive := ""
		if result.SHA256 != "" {
			archive = fmt.Sprintf(" (%d bytes, sha256 %s)", result.ArchiveSize, result.SHA256)
		}
		took := time.Duration(result.Seconds * float64(time.Second)).Round(time.Millisecond)
		_, err = fmt.Fprintf(r.Stdout, "%s, %s, %d bytes in %s to %s%s, version %s\n", count(result.Pages, "page"),
			count(result.Files, "file"), result.Bytes, took, result.Out, archive, result.Version)
	}
	if err == nil && !result.OK {
		return errReported
	}
	return err
}

// build shows a build's progress.
func (p *progress) build(b build.Progress) {
	switch b.Stage {
	case build.StageScan:
		if p.terminal {
			p.show(0, "reading the folder")
		}
	case build.StagePages, build.StageAssets, build.StageDone:
		if b.Total == 0 {
			return
		}
		if percent := float64(b.Done) * 100 / float64(b.Total); p.due(percent) { // there is a call for each page
			p.show(percent, fmt.Sprintf("%d of %s", b.Done, count(b.Total, "page")))
		}
	}
}

// unopened explains why a folder could not be opened.
func unopened(dir string) string {
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case err == nil && !info.IsDir():
		return "is not a folder"
	}
	return "cannot be opened"
}

// openSource opens a docs folder so that no path leads out of it. It excludes the output if that is inside the folder:
// otherwise the next export would contain this one.
func openSource(dir, out string) (src fs.FS, closeSource func(), err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fault.Newf(fault.Invalid, "invalid_field", "The docs folder %s %s.", dir, unopened(dir)).
			WithField("dir").
			WithHint("Pass the folder that contains docs.json.").WithCause(err)
	}
	src, closeSource = root.FS(), func() { _ = root.Close() }
	if out == "" {
		return src, closeSource, nil
	}
	inside, err := below(dir, out)
	switch {
	case err == nil && inside == ".":
		err = fault.New(fault.Invalid, "invalid_field", "The docs folder itself cannot be the output.").WithField("out")
	case err == nil && inside != "":
		src = without{src, inside}
	}
	if err != nil {
		closeSource()
		return nil, nil, err
	}
	return src, closeSource, nil
}
