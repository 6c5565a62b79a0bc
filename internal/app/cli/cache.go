package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// cacheFlags contains the cache flags of commands that build without a server.
type cacheFlags struct {
	Cache   string `placeholder:"DIR" help:"Folder of the build cache. Default: a folder in the user's cache directory. [LECTERN_CACHE_FOLDER]"`
	NoCache bool   `name:"no-cache" help:"Build without the cache: read nothing from it and store nothing in it."`
}

// caching is the cache of one build. The zero value means no cache.
type caching struct {
	store   *buildcache.Store
	session *buildcache.Session
}

// begin opens the cache for a build of the folder dir, if the cache is enabled and usable. Without it, the build is
// only slower.
func (f cacheFlags) begin(r *run, dir string) (caching, error) {
	place, err := r.env.BuildCache(f.Cache)
	if err != nil || f.NoCache || place.MaxBytes == 0 || place.Folder == "" {
		return caching{}, err
	}
	if inside, err := below(dir, place.Folder); err == nil && inside != "" {
		if !place.Asked {
			return caching{}, nil
		}
		return caching{}, fault.New(fault.Invalid, "invalid_field",
			"The cache cannot be inside the docs folder: its files would be part of the site.").
			WithField("cache")
	}
	store, err := openCache(r, place)
	if err != nil {
		if place.Asked || r.debug || !isClosed(err) {
			fmt.Fprintf(r.Stderr, "lectern: Building without a cache: %s.\n", harmless(err.Error()))
		}
		return caching{}, nil
	}
	return caching{store, store.Begin()}, nil
}

func openCache(r *run, place config.BuildCache) (*buildcache.Store, error) {
	return buildcache.Open(place.Folder,
		buildcache.Options{MaxBytes: place.MaxBytes, Now: r.Now, OnError: func(err error) {
			fmt.Fprintf(r.Stderr, "lectern: Not everything could be stored in the cache: %s.\n", harmless(err.Error()))
		}})
}

// isClosed reports whether the folder cannot be created in this environment, as in most containers. That is not worth a
// warning each time.
func isClosed(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// into adds the cache to a build's options.
func (c caching) into(opt build.Options) build.Options {
	if c.session != nil {
		opt.Cache, opt.Program = c.session, c.session.Program()
	}
	return opt
}

// flush makes the results so far available to other builds.
func (c caching) flush() {
	if c.session != nil {
		c.session.Flush()
	}
}

// close stores the results.
func (c caching) close() {
	c.session.Close()
	_ = c.store.Close() // everything was written
}

type cacheCommands struct {
	Show  cacheShowCommand  `cmd:"" default:"withargs" help:"Show the location and size of the build cache."`
	Clear cacheClearCommand `cmd:"" help:"Remove everything from the build cache."`
}

type cacheFolder struct {
	Cache string `placeholder:"DIR" help:"Folder of the cache. Default: the folder that builds use. [LECTERN_CACHE_FOLDER]"`
}

// open opens an existing folder; store is nil if it does not exist.
func (c cacheFolder) open(r *run) (place config.BuildCache, store *buildcache.Store, err error) {
	if place, err = r.env.BuildCache(c.Cache); err != nil {
		return place, nil, err
	}
	if place.Folder == "" {
		return place, nil, fault.New(fault.NotFound, "no_cache", "This user has no cache directory.").
			WithField("cache").
			WithHint("Set one with --cache or LECTERN_CACHE_FOLDER.")
	}
	if _, err := os.Lstat(place.Folder); errors.Is(err, fs.ErrNotExist) {
		return place, nil, nil
	}
	store, err = openCache(r, place)
	if err != nil {
		return place, nil, fault.Newf(fault.Invalid, "invalid_field", "The folder %s cannot be used as a build cache.",
			place.Folder).
			WithField("cache").WithHint("It must belong to you and contain nothing else: " + err.Error() + ".").
			WithCause(err)
	}
	return place, store, nil
}

type cacheShowCommand struct {
	cacheFolder
	JSON bool `name:"json" help:"Print one JSON object."`
}

// cacheJSON describes a cache in the output of --json.
type cacheJSON struct {
	Folder   string `json:"folder"`
	Bytes    int64  `json:"bytes"`
	MaxBytes int64  `json:"maxBytes"`
	Packs    int    `json:"packs"`
	Records  int    `json:"records"`
}

func (c *cacheShowCommand) Run(r *run) error {
	place, store, err := c.open(r)
	if err != nil {
		return err
	}
	out := cacheJSON{Folder: place.Folder, MaxBytes: place.MaxBytes}
	if store != nil {
		defer func() { _ = store.Close() }()
		u, err := store.Usage()
		if err != nil {
			return err
		}
		out.Folder, out.Bytes, out.Packs, out.Records = store.Dir(), u.Bytes, u.Packs, u.Records
	}
	if c.JSON {
		return printJSON(r.Stdout, out)
	}
	_, err = fmt.Fprintf(r.Stdout, "%s: %d of at most %d bytes, %s, %s\n",
		out.Folder, out.Bytes, out.MaxBytes, count(out.Packs, "pack"), count(out.Records, "record"))
	return err
}

type cacheClearCommand struct{ cacheFolder }

func (c *cacheClearCommand) Run(r *run) error {
	_, store, err := c.open(r)
	if err != nil || store == nil {
		return err
	}
	defer func() { _ = store.Close() }()
	u, err := store.Usage()
	if err != nil {
		return err
	}
	if err := store.Clear(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.Stdout, "%s: removed %d bytes, %s\n", store.Dir(), u.Bytes, count(u.Records, "record"))
	return err
}
