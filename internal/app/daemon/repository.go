package daemon

import (
	"context"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// repositories is the folder with the repositories of the embedded code host.
type repositories struct {
	*core
	dir string
}

// repositories returns the folder of this process: the one set for all processes, or one in the data folder.
func (c *core) repositories() *repositories {
	if c.Config.Repositories != "" {
		return &repositories{c, c.Config.Repositories}
	}
	return &repositories{c, ownRepositories(c.Config.Data)}
}

// shared reports whether other processes may use the same database, and so must use the same folder.
func (r *repositories) shared() bool { return store.IsPostgres(r.Config.Database) }

// apart reports whether there must be other processes that cannot see the folder, because this one does not both
// serve and run tasks.
func (r *repositories) apart() bool {
	return r.Config.Repositories == "" && (!r.serves || r.slots() == 0)
}

// repositoryFolder is the database setting with the name of the folder.
const repositoryFolder = "repository_folder"

// check returns an error if the folder is not the one recorded in the database. It must be called before each use,
// because the database may have been switched to another folder.
func (r *repositories) check(ctx context.Context) error {
	if !r.shared() {
		return nil
	}
	if r.apart() {
		return r.refuse("the setting repositories is missing", "")
	}
	here, err := readMark(r.dir)
	if err != nil {
		return err
	}
	var name string
	var take bool
	err = r.Store.Tx(ctx, func(t *store.Tx) error {
		name, take, err = r.claim(ctx, t, here)
		return err
	})
	if err == nil && take {
		here, err = mark(r.dir, name)
	}
	if err != nil || here == name && name != "" {
		return err
	}
	return r.refuse("the folder is not the one recorded in the database", name)
}

// claim returns the name of the folder recorded in the database, and whether this folder should take that name because
// it has none yet. A new folder is recorded if the database has no folder yet, or if no repositories exist. A folder
// that already has a name is never renamed.
func (r *repositories) claim(ctx context.Context, t *store.Tx, here string) (name string, take bool, err error) {
	held, err := t.FindSetting(ctx, repositoryFolder)
	if err != nil || here != "" {
		return held, false, err
	}
	fresh := id.Source{Rand: r.Rand}.New("dir_")
	if held == "" {
		held, err = t.ClaimSetting(ctx, repositoryFolder, fresh)
		return held, true, err
	}
	if used, err := t.EmbeddedInUse(ctx); err != nil || used {
		return held, false, err
	}
	return fresh, true, t.SetSetting(ctx, repositoryFolder, fresh)
}

// ours reports whether the folder is already recorded in this database.
func (r *repositories) ours(ctx context.Context) (bool, error) {
	if !r.shared() {
		return true, nil
	}
	here, err := readMark(r.dir)
	if err != nil || here == "" {
		return false, err
	}
	held, err := r.Store.FindSetting(ctx, repositoryFolder)
	return held == here, err
}

// refuse returns the error for callers, and logs the details for operators.
func (r *repositories) refuse(reason, wanted string) error {
	r.Logger.Warn("embedded code host disabled",
		"reason", reason, "folder", r.dir, "mark", folderMark, "wanted", wanted)
	return fault.New(fault.Unavailable, "repositories_not_shared",
		"The repositories of the embedded code host are not available on this server.").
		WithHint("The operator must give all servers and workers one shared folder with the setting repositories.")
}
