package race

import (
	"bufio"
	"context"
	"errors"
	"os"
	"runtime/pprof"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Press exports a folder to a tar.gz inside this process, like `lectern export`, with a cache in a folder, and writes
// a CPU profile of it.
func Press(ctx context.Context, dir, out, cache, profile string) error {
	p, err := os.Create(profile)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(p); err != nil {
		return errors.Join(err, p.Close())
	}
	err = press(ctx, dir, out, cache)
	pprof.StopCPUProfile()
	return errors.Join(err, p.Close())
}

func press(ctx context.Context, dir, out, cache string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // read only
	store, err := buildcache.Open(cache, buildcache.Options{Now: time.Now})
	if err != nil {
		return err
	}
	session := store.Begin()
	f, err := os.Create(out)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	buf := bufio.NewWriterSize(f, 1<<16)
	archive := output.NewTarGz(buf)
	_, err = build.Build(ctx, root.FS(), build.Options{
		Links: link.Relative, Manifest: true, Cards: true, Offers: capability.Offers{Search: true}, Cache: session,
		Program: session.Program(),
	}, archive)
	err = errors.Join(err, archive.Close(), buf.Flush(), f.Sync(), f.Close())
	session.Close()
	return errors.Join(err, store.Close())
}
