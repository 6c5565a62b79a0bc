package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
	"github.com/lectern-docs/lectern/tools/release/internal/debian"
	"github.com/lectern-docs/lectern/tools/release/internal/dist"
	"github.com/lectern-docs/lectern/tools/release/internal/program"
)

// build writes a release to a folder and signs it if there is a key.
func build(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	root := flags.String("root", ".", "the repository's `folder`")
	out := flags.String("out", "dist", "`folder` to write to; it must be empty or missing, unless -replace is given")
	replace := flags.Bool("replace", false, "remove the folder's contents first, after the inputs have been checked")
	version := flags.String("version", "", "`version` to write into everything; without it, the commit's tag")
	platforms := flags.String("platforms", "", "`list` such as linux/amd64,linux/arm64; without it, all")
	builder := flags.String("builder", dist.Repository+"/tree/main/tools/release#by-hand",
		"`address` that identifies the builder")
	cache := flags.String("cache", "", "`folder` in which fetched packages are kept")
	mirror := flags.String("mirror", defaultMirror, "`address` of a Debian mirror")
	dirty := flags.Bool("dirty", false,
		"build although files differ from the commit; such a release names no commit and is not signed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	source, err := program.FromGit(ctx, *root, *version)
	if err != nil {
		return err
	}
	if source.Dirty && !*dirty {
		return errors.New("files differ from the commit: commit them, or use -dirty for a build that is not released")
	}
	if source.Dirty && os.Getenv(keyVariable) != "" {
		return errors.New("files differ from the commit: such a release is not signed, build it without " + keyVariable)
	}
	r := dist.Release{Source: source, Builder: *builder,
		Log: func(line string) { fmt.Fprintln(os.Stderr, "release:", line) },
		Store: debian.Store{Dir: filepath.Join(*cache, "debian"), Mirror: *mirror, Archive: snapshots,
			Client: &http.Client{Timeout: 10 * time.Minute}}}
	if r.Platforms, err = parsePlatforms(*platforms); err != nil {
		return err
	}
	lock, err := os.ReadFile(filepath.Join(*root, lockFile))
	if err != nil {
		return fmt.Errorf("read lock: %w", err)
	}
	if r.Lock, err = debian.ParseLock(string(lock)); err != nil {
		return err
	}
	if *replace {
		if err := os.RemoveAll(*out); err != nil {
			return fmt.Errorf("remove the old release: %w", err)
		}
	}
	if err := r.Write(ctx, *out); err != nil {
		return err
	}
	if os.Getenv(keyVariable) == "" {
		r.Log("there is no key in " + keyVariable + ": the release is not signed")
		return nil
	}
	return sign([]string{"-dist", *out})
}

// keyVariable is the environment variable with the private key as PEM, because other users can read command lines.
const keyVariable = "LECTERN_RELEASE_KEY"

// sign signs an existing release.
func sign(args []string) error {
	flags := flag.NewFlagSet("sign", flag.ContinueOnError)
	dir := flags.String("dist", "dist", "the release's `folder`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	key, err := attest.ParsePrivate([]byte(os.Getenv(keyVariable)))
	if err != nil {
		return fmt.Errorf("%s: %w", keyVariable, err)
	}
	return dist.Sign(*dir, key)
}

func parsePlatforms(list string) ([]program.Platform, error) {
	if list == "" {
		return program.Platforms(), nil
	}
	var out []program.Platform
	for one := range strings.SplitSeq(list, ",") {
		system, arch, ok := strings.Cut(one, "/")
		if !ok || system == "" || arch == "" {
			return nil, fmt.Errorf("%q is not a platform", one)
		}
		out = append(out, program.Platform{OS: system, Arch: arch})
	}
	return out, nil
}
