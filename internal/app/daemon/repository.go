package daemon

import (
	"context"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// repositories is the folder in which the embedded code host keeps its repositories.
type repositories struct {
	*core
	dir string
}

// repositories are those of this process: in the folder that all processes were given, or in the data folder.
func (c *core) repositories() *repositories {
	if c.Config.Repositories != "" {
		return &repositories{c, c.Config.Repositories}
	}
	return &repositories{c, ownRepositories(c.Config.Data)}
}

// shared reports whether other processes may use the same database, and must then use the same folder.
func (r *repositories) shared() bool { return store.IsPostgres(r.Config.Database) }

// apart reports whether there must be other processes, which cannot see the folder: only one that does everything may
// be the only one.
func (r *repositories) apart() bool {
	return r.Config.Repositories == "" && (!r.serves || r.slots() == 0)
}

// repositoryFolder is the setting that has the name of the folder.
const repositoryFolder = "repository_folder"

// check refuses to use a folder that is not the database's. Callers run it before each use, because another folder may
// have become the database's.
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

// claim returns the name of the folder recorded in the database, and whether this one, which has none, is to take it. A
// new folder becomes the database's when that has none yet, or nothing is kept in it. A folder with a name stays whose
// it is.
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

// ours reports whether the folder is known to be this database's, without making it so.
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

// refuse returns to callers what they may know, and logs the rest for operators.
func (r *repositories) refuse(reason, wanted string) error {
	r.Logger.Warn("embedded code host disabled",
		"reason", reason, "folder", r.dir, "mark", folderMark, "wanted", wanted)
	return fault.New(fault.Unavailable, "repositories_not_shared",
		"The repositories of the embedded code host are not available on this server.").
		WithHint("The operator must give all servers and workers one shared folder with the setting repositories.")
}
