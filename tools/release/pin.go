package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/debian"
)

// pin rewrites the lock file of Debian packages.
func pin(ctx context.Context, args []string, now time.Time) error {
	flags := flag.NewFlagSet("pin", flag.ContinueOnError)
	root := flags.String("root", ".", "the repository's `folder`")
	suite := flags.String("suite", "trixie", "Debian's `release`")
	keyring := flags.String("keyring", debianKeys, "`file` with Debian's public keys")
	cache := flags.String("cache", "", "`folder` in which fetched packages are kept")
	mirror := flags.String("mirror", defaultMirror, "`address` of a mirror")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s := debian.Store{Dir: filepath.Join(*cache, "debian"), Mirror: *mirror, Archive: snapshots,
		Client: &http.Client{Timeout: 10 * time.Minute}}
	l, err := s.Pin(ctx, *suite, now.UTC().Format("20060102T150405Z"), *keyring, []string{"amd64", "arm64"})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(*root, lockFile), []byte(l.String()), 0o644); err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	fmt.Fprintf(os.Stderr, "release: %d packages are pinned\n", len(l.Packages))
	return nil
}

const (
	lockFile      = "packaging/debian.lock"
	debianKeys    = "/usr/share/keyrings/debian-archive-keyring.gpg"
	defaultMirror = "http://deb.debian.org"
	snapshots     = "https://snapshot.debian.org/archive"
)
