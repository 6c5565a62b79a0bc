package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/serve/bundlehost"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// isBundle reports whether a path is a bundle rather than a docs folder: a file, or a folder with a manifest and
// without a site file.
func isBundle(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return true
	}
	for _, own := range []string{"docs.json", "mint.json"} {
		if _, err := os.Stat(filepath.Join(name, own)); err == nil {
			return false
		}
	}
	_, err = os.Stat(filepath.Join(name, output.ManifestPath))
	return err == nil
}

// runBundle serves a bundle until the agent or the command ends.
func (c *mcpCommand) runBundle(ctx context.Context, r *run) (err error) {
	dir, err := os.MkdirTemp("", "lectern-mcp-")
	if err != nil {
		return fmt.Errorf("create folder for the bundle: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	version, err := c.openBundle(ctx, r, dir)
	if err != nil {
		return err
	}
	l := bundleLibrary(ctx, version)
	if c.Listen != "" {
		return c.listenBundle(ctx, r, version, l)
	}
	defer func() { err = errors.Join(err, version.Close()) }()
	fmt.Fprintf(r.Stderr, "Serving %s (%s) to an agent over standard input and output.\n", l.Name(), l.Edition())
	return mcp.Run(ctx, l, r.Version, slog.New(slog.NewTextHandler(r.Stderr, nil)), r.Stdin, r.Stdout)
}

// openBundle verifies the bundle like serve-bundle and unpacks it below dir.
func (c *mcpCommand) openBundle(ctx context.Context, r *run, dir string) (*bundlestore.Version, error) {
	key, err := (&bundleVerify{PublicKey: c.VerifyKey}).key()
	if err != nil {
		return nil, err
	}
	volume, err := bundlestore.Open(dir, r.Now)
	if err != nil {
		return nil, err
	}
	want := bundlestore.Expect{Version: c.Version, PublicKey: key,
		SHA256: strings.ToLower(strings.TrimPrefix(c.SHA256, "sha256:"))}
	if want.SHA256 != "" && !sha256Form.MatchString(want.SHA256) {
		return nil, fault.New(fault.Invalid, "bad_setting", "sha256: must be 64 hex digits.").WithField("sha256")
	}
	info, err := os.Stat(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("open bundle: %w", err)
	}
	if !info.IsDir() {
		got, err := volume.Receive(ctx, bundlestore.FromFile{Path: c.Dir}, want)
		if err != nil {
			return nil, err
		}
		return volume.OpenVersion(got.Record.Digest)
	}
	if want.SHA256 != "" {
		return nil, fault.New(fault.Invalid, "bad_setting",
			"sha256: an unpacked bundle has no archive to compare; use --version or --verify-key.").WithField("sha256")
	}
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("open bundle: %w", err)
	}
	defer func() { _ = root.Close() }() // read only
	got, err := volume.ReceiveFolder(ctx, root.FS(), want)
	if err != nil {
		return nil, err
	}
	return volume.OpenVersion(got.Digest)
}

// bundleLibrary returns a library that reads a bundle; its name comes from the bundle's list of pages.
func bundleLibrary(ctx context.Context, v *bundlestore.Version) *sitereader.Library {
	name := ""
	if list, err := bundlehost.Library("", v).List(ctx, "llms.txt"); err == nil {
		name = sitereader.Title(list)
	}
	return bundlehost.Library(name, v).WithEdition(editionOf(v.Record))
}

// editionOf describes the bundle's version, commit and digest.
func editionOf(b bundlestore.Record) string {
	var parts []string
	if b.Version != "" {
		parts = append(parts, "version "+b.Version)
	}
	if b.Commit != "" {
		parts = append(parts, "commit "+b.Commit)
	}
	if b.Digest != b.TreeHash {
		parts = append(parts, "bundle SHA-256 "+b.Digest)
	}
	return strings.Join(append(parts, "tree hash "+b.TreeHash), ", ")
}

// listenBundle serves the bundle over HTTP: its MCP server, and its pages, so that cited paths can be opened.
func (c *mcpCommand) listenBundle(ctx context.Context, r *run, v *bundlestore.Version, l *sitereader.Library) error {
	host, err := bundlehost.New(bundlehost.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return errors.Join(err, v.Close())
	}
	host.Show(v)
	defer host.Close() // also closes v
	listener, err := listenLocal(ctx, c.Listen)
	if err != nil {
		return err
	}
	agents, mux := r.localAgents(), http.NewServeMux()
	mux.HandleFunc(deploy.AgentPath, func(w http.ResponseWriter, req *http.Request) {
		agents.ServeSite(w, req, "local", l)
	})
	mux.Handle("/", host)
	fmt.Fprintf(r.Stderr, "Serving %s (%s).\n", l.Name(), l.Edition())
	startLocal(listener, mux).wait(ctx, r)
	return nil
}
