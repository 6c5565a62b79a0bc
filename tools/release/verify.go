package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
	"github.com/lectern-docs/lectern/tools/release/internal/check"
)

// verify verifies a release.
func verify(args []string) error {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	dir := flags.String("dist", "dist", "the release's `folder`")
	key := flags.String("public-key", "", "`file` with the public key that the release must be signed with")
	unsigned := flags.Bool("unsigned", false, "the release is not signed; only its integrity is checked")
	dirty := flags.Bool("allow-dirty", false, "the release may have been built from changed files; only with -unsigned")
	platforms := flags.String("platforms", "", "`list` of platforms that must be there; without it, all")
	if err := flags.Parse(args); err != nil {
		return err
	}
	opt := check.Options{Unsigned: *unsigned, AllowDirty: *dirty}
	var err error
	if opt.Platforms, err = parsePlatforms(*platforms); err != nil {
		return err
	}
	if *key != "" {
		text, err := os.ReadFile(*key)
		if err != nil {
			return fmt.Errorf("read public key: %w", err)
		}
		if opt.Key, err = attest.ParsePublic(text); err != nil {
			return err
		}
	}
	if err := check.Dir(*dir, opt); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "release: everything agrees")
	return nil
}
