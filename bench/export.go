package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/bench/race"
)

//go:embed peers/*/package.json peers/*/package-lock.json peers/*/.npmrc peers/pagefind/ask.mjs
var peerFiles embed.FS

// raceFlags are the flags of the export benchmark.
type raceFlags struct {
	sizes string
	alone int
	peers string
	limit time.Duration
	cache string
	sites string
	// profile is the file for a CPU profile of an export; "" = none.
	profile string
}

// cacheFolder returns the folder where the other generators stay installed, and creates it if needed.
func (f raceFlags) cacheFolder() (string, error) {
	dir := f.cache
	if dir == "" {
		home, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, "lectern", "bench")
	}
	return dir, os.MkdirAll(dir, 0o755)
}

// export compares complete exports with other generators.
func export(ctx context.Context, o options) error {
	files, err := fs.Sub(peerFiles, "peers")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var sizes []int
	for text := range strings.SplitSeq(o.race.sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return fmt.Errorf("-sizes must be numbers of pages, not %q", text)
		}
		sizes = append(sizes, n)
	}
	cache, err := o.race.cacheFolder()
	if err != nil {
		return err
	}
	return race.Run(ctx, race.Options{
		Out: os.Stdout, Binary: o.binary, Self: self, Cache: cache, Peers: files, Only: o.race.peers, Sizes: sizes,
		Alone:  o.race.alone,
		Rounds: o.rounds, Limit: o.race.limit, Profile: o.race.profile,
	})
}

// sites exports real sites.
func sites(ctx context.Context, o options) error {
	if o.race.sites == "" {
		fmt.Println("\nsites: name a folder of real docs folders with -sites")
		return nil
	}
	cache, err := o.race.cacheFolder()
	if err != nil {
		return err
	}
	return race.Sites(ctx, race.Options{Out: os.Stdout, Binary: o.binary, Cache: cache, Rounds: o.rounds,
		Limit: o.race.limit}, o.race.sites, 10)
}
