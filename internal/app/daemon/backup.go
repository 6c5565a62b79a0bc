package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/backup"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
)

// besideBackups returns a function that prevents backups while the sweep removes files, or nil if blobs are not on this
// disk.
func (c *core) besideBackups() func() (func(), bool, error) {
	if _, onS3, err := c.Config.OnS3(); err != nil || onS3 {
		return nil
	}
	return func() (func(), bool, error) { return backup.Pause(c.Config.Data) }
}

// BackupOptions configures a backup.
type BackupOptions struct {
	File          string    // "-" = write to Out
	Out           io.Writer // used only for "-"
	WithoutSecret bool
	Progress      func(done, total int64)
}

// Backup makes a backup of an embedded server's data folder, whether or not the server is running. It does not
// migrate the database.
func Backup(ctx context.Context, opt Options, to BackupOptions) (m backup.Manifest, err error) {
	if err := embedded(opt); err != nil {
		return m, err
	}
	file := filepath.Join(opt.Config.Data, databaseFile)
	if _, err := os.Stat(file); err != nil { // opening would create an empty one
		return m, fault.Newf(fault.NotFound, "no_database", "No database found in %s.", opt.Config.Data).
			WithField("data").
			WithHint("Set the server's data folder with --data.").WithCause(err)
	}
	st, err := store.Open(ctx, store.Options{URL: file, Now: opt.Now})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if _, err := st.CheckSchema(ctx); err != nil {
		return m, err
	}
	guard, err := outbound.NewGuard(nil)
	if err != nil {
		return m, err
	}
	proxy, err := guard.Proxy(ctx)
	if err != nil {
		return m, fmt.Errorf("start outbound guard: %w", err)
	}
	defer func() { err = errors.Join(err, proxy.Close()) }()
	own := (&core{Options: opt}).repositories().dir
	// Do not use the server's own folder for git: the backup may run as another user, such as root, and would leave
	// files there.
	work, err := os.MkdirTemp("", "lectern-backup-")
	if err != nil {
		return m, fmt.Errorf("create temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	git, err := git.Open(work, git.Options{Proxy: proxy, Own: own})
	if err != nil {
		return m, err
	}
	src := backup.Source{Data: opt.Config.Data, Store: st, Git: git, Repositories: own, Version: opt.Version,
		Now: opt.Now, WithoutSecret: to.WithoutSecret, Progress: to.Progress,
		Warn: func(err error) {
			opt.Logger.Warn("the backup is complete, but a later step failed", "error", err)
		}}
	if to.File == "-" {
		return backup.Create(ctx, to.Out, src)
	}
	return backup.CreateFile(ctx, to.File, src)
}

// databaseFile is the name of the embedded database in the data folder.
const databaseFile = "lectern.db"

// embedded returns an error if the server's state is not entirely in the data folder.
func embedded(opt Options) error {
	_, onS3, err := opt.Config.OnS3()
	if err != nil {
		return err
	}
	place := ""
	switch {
	case opt.Config.Database != "":
		place = "database"
	case onS3:
		place = "blob"
	default:
		return nil
	}
	return fault.Newf(fault.Invalid, "not_embedded",
		"%s: this server stores its state outside the data folder; lectern backup only supports the embedded database and disk.", place).WithField(place).
		WithHint(otherMeans(opt.Config.Data, opt.Config.Database != "", onS3))
}

// otherMeans explains how to back up a server whose database or stored files are not in the data folder. The database
// always comes first.
func otherMeans(data string, onPostgres, onS3 bool) string {
	database, stored := "Back up PostgreSQL with pg_dump", "the bucket"
	if !onPostgres {
		database = fmt.Sprintf("Copy the database with sqlite3 %s \".backup COPY\"", filepath.Join(data, databaseFile))
	}
	if !onS3 {
		stored = "the folder " + filepath.Join(data, "blobs")
	}
	return database + " and then " + stored +
		". The section \"PostgreSQL and S3\" of docs/guides/backup.mdx has the commands, their order, and how to check the result."
}
