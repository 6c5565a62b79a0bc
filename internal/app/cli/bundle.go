package cli

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/build/viewcheck"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
)

type bundleCommands struct {
	Verify bundleVerify `cmd:"" help:"Verify that a bundle is complete and loads nothing from other hosts."`
}

type bundleVerify struct {
	Bundle    string   `arg:"" placeholder:"FILE|DIR" help:"Bundle: a tar.gz, a zip, or the folder it was unpacked to."`
	JSON      bool     `name:"json" help:"Print one JSON object at the end instead of progress."`
	PublicKey string   `placeholder:"FILE" help:"File with the public key. The bundle must be signed with the matching private key."`
	Version   string   `placeholder:"VERSION" help:"Required version label of the bundle."`
	AllowHost []string `placeholder:"HOST" help:"Host that pages may load from; can be repeated."`
	Source    string   `placeholder:"DIR" help:"Docs folder that the bundle was built from: also verify that the bundle contains nothing from pages for other readers."`
	Groups    []string `placeholder:"GROUP" help:"With --source: groups of readers that the bundle should be for; a list with commas, or repeated. Default: readers in no group."`
	Strict    bool     `help:"Also fail on warnings."`
}

// Help returns the long description.
func (bundleVerify) Help() string {
	return `Unpacks nothing, uses no network, and checks that

    every file is listed in manifest.json with its correct size and SHA-256, and there are no other files
    everything that pages load is in the bundle, and nothing comes from another host
    links between pages point to existing files and anchors, under any base path and from disk
    no page contains an inline script

With --source, it also checks that the bundle is for --groups, and that no file contains anything from pages that readers in these groups may not see: files,
Markdown versions, images, titles, and every word of five letters or more that occurs on none of the pages that they may see. Words in snippets and API
descriptions may occur on any page and are not checked.

Lists every address on another host that a page would contact, with the page, the reason (script, style, font, image, media, frame, fetch, preconnect,
form, ping, redirect, api) and whether it happens automatically or when the reader does something. Authors' scripts are read, not run: addresses in them are
listed as such, but addresses built at run time are unknown. Links are not listed; --json has their hosts.

Exits with 0 if there are no errors. Broken links of authors are warnings, unless --strict is given. The codes are described in
docs/reference/findings.mdx.

    lectern bundle verify site.tar.gz
    lectern bundle verify site.zip --public-key release.pub --version v1.2
    lectern bundle verify ./public --allow-host cdn.example.com --strict
    lectern bundle verify partners.zip --source ./docs --groups partner,beta`
}

func (c *bundleVerify) Run(ctx context.Context, r *run) error {
	key, err := c.key()
	if err != nil {
		return err
	}
	src, closeSource, err := c.open()
	if err != nil {
		return err
	}
	defer closeSource()
	bar := r.progress(c.JSON)
	checked, err := bundlecheck.Check(ctx, src,
		bundlecheck.Options{Version: c.Version, PublicKey: key, AllowHosts: c.AllowHost, Progress: bar.bytes})
	bar.end()
	if err != nil {
		return err
	}
	report := &bundleReport{Report: checked}
	view, err := c.checkView(ctx, src)
	if err != nil {
		return err
	}
	if view != nil {
		report.View = view
		report.Findings = append(report.Findings, view.Findings...)
		report.Errors, report.OK = report.Errors+len(view.Findings), report.OK && len(view.Findings) == 0
	}
	if err := c.printResult(r, report); err != nil {
		return err
	}
	if !report.OK || c.Strict && report.Warnings > 0 {
		return errReported
	}
	return nil
}

// bundleReport is the result of a verification as printed with --json.
type bundleReport struct {
	*bundlecheck.Report
	View *viewcheck.Report `json:"view,omitempty"` // nil without --source
}

// checkView checks that the bundle contains nothing that its readers may not see. It returns nil without --source.
func (c *bundleVerify) checkView(ctx context.Context, bundle bundlecheck.Source) (*viewcheck.Report, error) {
	if c.Source == "" {
		if len(c.Groups) > 0 {
			return nil, fault.New(fault.Invalid, "invalid_field", "--groups needs --source, the docs folder of the bundle.").
				WithField("groups")
		}
		return nil, nil
	}
	docs, closeDocs, err := openSource(c.Source, "")
	if err != nil {
		return nil, err
	}
	defer closeDocs()
	return viewcheck.Check(ctx, bundle, docs, reader.New(c.Groups...))
}

// open opens the bundle, in any format.
func (c *bundleVerify) open() (src bundlecheck.Source, closeSource func(), err error) {
	refused := func(what string, err error) error {
		return fault.Newf(fault.Invalid, "invalid_field", "The bundle %s %s.", c.Bundle, what).WithField("bundle").
			WithCause(err)
	}
	info, err := os.Stat(c.Bundle)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return src, nil, refused("does not exist", err)
	case err != nil:
		return src, nil, refused("cannot be opened", err)
	case info.IsDir():
		root, err := os.OpenRoot(c.Bundle)
		if err != nil {
			return src, nil, refused("cannot be opened", err)
		}
		return bundlecheck.Folder(root.FS()), func() { _ = root.Close() }, nil
	case !info.Mode().IsRegular():
		return src, nil, refused("is neither a file nor a folder", nil)
	}
	f, err := os.Open(c.Bundle)
	if err != nil {
		return src, nil, refused("cannot be opened", err)
	}
	return bundlecheck.Archive(f, info.Size()), func() { _ = f.Close() }, nil
}

// maxKeyFile is the maximum size of a key file, in bytes.
const maxKeyFile = 1 << 16

// key reads the public key, if the flag is set.
func (c *bundleVerify) key() (ed25519.PublicKey, error) {
	if c.PublicKey == "" {
		return nil, nil
	}
	f, err := os.Open(c.PublicKey)
	if err != nil {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "The key file %s cannot be opened.", c.PublicKey).
			WithField("public-key").WithCause(err)
	}
	defer func() { _ = f.Close() }() // read-only
	data, err := io.ReadAll(io.LimitReader(f, maxKeyFile))
	if err != nil {
		return nil, fmt.Errorf("read public key: %w", err)
	}
	key, err := bundlecheck.ParsePublicKey(data)
	if err != nil {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "%s does not contain an Ed25519 public key.",
			c.PublicKey).WithField("public-key").
			WithHint("Use a PEM file (PUBLIC KEY), or the 32 bytes of the key in base64.").WithCause(err)
	}
	return key, nil
}

// bytes shows how much of a file was read.
func (p *progress) bytes(done, total int64) {
	if total > bigBundle {
		p.show(float64(done)*100/float64(total), fmt.Sprintf("%d of %d MB", done>>20, total>>20))
	}
}

// bigBundle is the minimum size, in bytes, of bundles for which progress is shown.
const bigBundle = 8 << 20

// printResult prints the report.
func (c *bundleVerify) printResult(r *run, report *bundleReport) error {
	if c.JSON {
		return printJSON(r.Stdout, report)
	}
	printDiagnostics(r.Stdout, report.Findings, "--json")
	printContacts(r.Stdout, report.Report)
	return c.summary(r, report)
}

// moments describes when a browser contacts an address.
var moments = map[bundlecheck.When]string{bundlecheck.OnLoad: "automatically", bundlecheck.OnAction: "on reader action",
	bundlecheck.OnOpen: "when the file is opened directly",
	bundlecheck.IfRun:  "in a script"}

// printContacts prints every address that pages would contact, once per reason, with the location of its first
// occurrence.
func printContacts(w io.Writer, report *bundlecheck.Report) {
	type kind struct {
		address string
		reason  bundlecheck.Purpose
		when    bundlecheck.When
	}
	places := map[kind]int{}
	for _, c := range report.Contacts {
		places[kind{c.Address, c.Reason, c.When}]++
	}
	for _, c := range report.Contacts {
		k := kind{c.Address, c.Reason, c.When}
		if places[k] == 0 {
			continue // already reported
		}
		more := ""
		if n := places[k] - 1; n > 0 {
			more = fmt.Sprintf(", and in %s", count(n, "more place"))
		}
		places[k] = 0
		verb := "contacts"
		if c.When == bundlecheck.IfRun {
			verb = "may contact"
		}
		fmt.Fprintf(w, "%s:%d:%d: %s %s (%s, %s)%s\n", harmless(c.File), c.Line, c.Column, verb, harmless(c.Address),
			c.Reason, moments[c.When], more)
	}
	if left := report.ContactCount - len(report.Contacts); left > 0 {
		fmt.Fprintf(w, "%s more that are not listed\n", count(left, "contact"))
	}
}

// summary prints the summary lines.
func (c *bundleVerify) summary(r *run, report *bundleReport) error {
	alone := 0
	for _, x := range report.Contacts {
		if x.When == bundlecheck.OnLoad {
			alone++
		}
	}
	hosts := "pages contact no other host automatically"
	if alone > 0 {
		hosts = "pages contact other hosts automatically"
	}
	if n := len(report.Hosts); n > 0 {
		hosts += ", links to " + count(n, "other host")
	} else {
		hosts += ", no links to other hosts"
	}
	allowed := 0
	for _, n := range report.Allowed {
		allowed += n
	}
	if allowed > 0 {
		hosts += fmt.Sprintf(", pages load %s from allowed hosts", count(allowed, "file"))
	}
	if report.Scripts > 0 {
		hosts += fmt.Sprintf("; %s read but not run", count(report.Scripts, "script"))
	}
	signed := map[bundlecheck.Signature]string{
		bundlecheck.Unsigned: "not signed", bundlecheck.Unchecked: "signed, not checked (--public-key)",
		bundlecheck.Valid: "signature valid", bundlecheck.Invalid: "signature invalid",
	}[report.Signature]
	fmt.Fprintf(r.Stderr, "version %s, %s\n", orDash(report.Version), signed)
	fmt.Fprintf(r.Stderr, "%s, %s, %s, %s, %s, %d bytes; %s\n", count(report.Files, "file"),
		count(report.Pages, "page"),
		count(report.Links, "link"), count(report.Anchors, "anchor"), count(report.Assets, "asset"), report.Bytes,
		hosts)
	if v := report.View; v != nil {
		fmt.Fprintf(r.Stderr, "looked for %s, %s, %s and %s that %s may not see\n", count(v.Pages, "page"), count(v.Files, "file"),
			count(v.Titles, "title"), count(v.Words, "word"), reader.New(v.Groups...))
	}
	_, err := fmt.Fprintf(r.Stderr, "%s, %s\n", count(report.Errors, "error"), count(report.Warnings, "warning"))
	return err
}
