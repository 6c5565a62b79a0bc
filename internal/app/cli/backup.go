package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/backup"
)

type backupCommands struct {
	Make  backupMake  `cmd:"" default:"withargs" help:"Create a backup; the server may be running."`
	Check backupCheck `cmd:"" help:"Verify that a backup is complete and can be restored."`
}

type backupMake struct {
	storage
	File          string `arg:"" placeholder:"FILE|-" help:"File to create; - for standard output. An existing file is not replaced."`
	WithoutSecret bool   `help:"Do not include the secret key. Keep it separately: without it, no API key and no signed link works."`
	JSON          bool   `name:"json" help:"Print one JSON object at the end instead of progress. Not with FILE -."`
}

// Help returns the long description.
func (backupMake) Help() string {
	return `Writes one tar.gz with everything that an embedded server stores in --data: a consistent copy of the database, published sites, stored sources, bundles, repositories of the embedded code host, and the secret key. Caches and mirrors are not included. The server can continue to publish.

Anyone with the file can read everything and create links: treat it as a secret. It is created readable only by its owner. With --without-secret, keep secret.key separately.

    lectern backup /backups/lectern-$(date +%F).tar.gz --data /var/lib/lectern
    lectern backup - --data /var/lib/lectern | age -r … > lectern.tar.gz.age
    lectern backup check /backups/lectern-2026-11-15.tar.gz

For servers on PostgreSQL and S3, use the backup tools of PostgreSQL and S3: see docs/guides/backup.mdx.`
}

func (c *backupMake) Run(ctx context.Context, r *run) error {
	opt, err := r.daemon(&c.Server)
	if err != nil {
		return err
	}
	if c.File == "-" && isTerminal(r.Stdout) {
		return fault.New(fault.Invalid, "invalid_field",
			"A backup is binary data and cannot be printed to a terminal.").WithField("file").
			WithHint("Name a file, or redirect the output.")
	}
	bar := r.progress(c.JSON)
	m, err := daemon.Backup(ctx, opt,
		daemon.BackupOptions{File: c.File, Out: r.Stdout, WithoutSecret: c.WithoutSecret, Progress: bar.bytes})
	bar.end()
	if err != nil {
		return err
	}
	if c.File == "-" {
		fmt.Fprintln(r.Stderr, describeBackup(m))
		return nil
	}
	return tellBackup(r, m, c.JSON)
}

type backupCheck struct {
	File string `arg:"" placeholder:"FILE|-" help:"Backup; - for standard input."`
	JSON bool   `name:"json" help:"Print one JSON object at the end instead of progress."`
}

// Help returns the long description.
func (backupCheck) Help() string {
	return `Reads the whole backup and changes nothing: every file must have the listed size and SHA-256, the database must be intact with a schema that this version supports, and all files that the database refers to must be present.`
}

func (c *backupCheck) Run(ctx context.Context, r *run) error {
	in, size, err := r.openBackup(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read only
	bar := r.progress(c.JSON)
	m, err := backup.Check(ctx, showing(in, size, bar), r.Now, nil)
	bar.end()
	if err != nil {
		return err
	}
	return tellBackup(r, m, c.JSON)
}

// openBackup opens a backup for reading; size is 0 if unknown.
func (r *run) openBackup(name string) (in io.ReadCloser, size int64, err error) {
	if name == "-" {
		return io.NopCloser(r.Stdin), 0, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, fault.Newf(fault.NotFound, "no_backup", "The backup %s cannot be opened.", name).
			WithField("file").WithCause(err)
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return f, size, nil
}

// showing shows the progress of reading a file.
func showing(in io.Reader, size int64, bar *progress) io.Reader {
	if size == 0 {
		return in
	}
	done := int64(0)
	return readerFunc(func(p []byte) (int, error) {
		n, err := in.Read(p)
		done += int64(n)
		bar.bytes(done, size)
		return n, err
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// backupJSON is a backup in the output of --json.
type backupJSON struct {
	backup.Head
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

func tellBackup(r *run, m backup.Manifest, asJSON bool) error {
	if asJSON {
		return printJSON(r.Stdout, backupJSON{Head: m.Head, Files: len(m.Files), Bytes: m.Bytes()})
	}
	_, err := fmt.Fprintln(r.Stdout, describeBackup(m))
	return err
}

// describeBackup summarizes a backup.
func describeBackup(m backup.Manifest) string {
	secret := "It contains the secret key: protect it like the key itself."
	if !m.Secret {
		secret = "It does not contain the secret key: keep the key separately."
	}
	return fmt.Sprintf("Backup of %s by Lectern %s, schema %d: %s, %d bytes. %s",
		m.MadeAt.Format("2006-01-02 15:04:05 MST"), harmless(m.Tool), m.Schema, count(len(m.Files), "file"), m.Bytes(),
		secret)
}
