package check

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
	"github.com/lectern-docs/lectern/tools/release/internal/dist"
	"github.com/lectern-docs/lectern/tools/release/internal/program"
)

// Options configures the checks of a release.
type Options struct {
	Key      ed25519.PublicKey // nil = the release must be unsigned, and Unsigned must be set
	Unsigned bool
	// AllowDirty accepts a release that was built from changed files. Such a release is not signed.
	AllowDirty bool
	// Required platforms; nil = all platforms of a release.
	Platforms []program.Platform
}

// found is a release being checked.
type found struct {
	files    map[string][]byte
	sums     attest.Sums
	version  string
	commit   string // "" if it was built from changed files
	programs map[program.Platform][]byte
	opt      Options
}

// Dir checks the release in a folder.
func Dir(dir string, opt Options) error {
	files, err := read(dir)
	if err != nil {
		return fmt.Errorf("check release: %w", err)
	}
	return Files(files, opt)
}

// Files checks a release by the names and bytes of its files.
func Files(files map[string][]byte, opt Options) error {
	if (opt.Key == nil) != opt.Unsigned {
		return errors.New("check release: use -public-key, or -unsigned if the release is not signed")
	}
	if opt.Platforms == nil {
		opt.Platforms = program.Platforms()
	}
	f := &found{files: files, programs: map[program.Platform][]byte{}, opt: opt}
	// Check the signature before the digests, and the digests before any content.
	for _, step := range []func() error{
		f.signature, f.digests, f.provenance, f.complete, f.chart, f.archives, f.debs, f.images} {
		if err := step(); err != nil {
			return fmt.Errorf("check release: %w", err)
		}
	}
	return nil
}

func read(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file", e.Name())
		}
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// signature checks the signature of the list of checksums. All other checks rely on that list.
func (f *found) signature() error {
	signature, signed := f.files[dist.SignatureFile]
	switch {
	case f.opt.Key == nil && signed:
		return errors.New("it is signed, but no public key was given")
	case f.opt.Key == nil:
		return nil
	case !signed:
		return errors.New("it is not signed")
	}
	if err := attest.Verify(f.opt.Key, f.files[dist.SumsFile], signature); err != nil {
		return fmt.Errorf("%s: %w", dist.SumsFile, err)
	}
	return nil
}

// digests checks that the list and the folder contain the same files with the same digests.
func (f *found) digests() (err error) {
	list, ok := f.files[dist.SumsFile]
	if !ok {
		return fmt.Errorf("%s: %w", dist.SumsFile, fs.ErrNotExist)
	}
	if f.sums, err = attest.ParseSums(string(list)); err != nil {
		return err
	}
	have := maps.Clone(f.files)
	delete(have, dist.SumsFile)
	delete(have, dist.SignatureFile)
	return same(f.sums, attest.Of(have), "the list of checksums")
}

// same compares stated digests with those of the files.
func same(stated, real attest.Sums, who string) error {
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		if got, ok := real[name]; !ok {
			wrong = append(wrong, fmt.Errorf("%s names %s, which is missing", who, name))
		} else if got != stated[name] {
			wrong = append(wrong, fmt.Errorf("the digest of %s differs from the one in %s", name, who))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(real)) {
		if _, ok := stated[name]; !ok {
			wrong = append(wrong, fmt.Errorf("%s does not name %s", who, name))
		}
	}
	return errors.Join(wrong...)
}

// provenance checks that the statement covers all other files, and reads version and commit from it.
func (f *found) provenance() error {
	var name string
	for n := range f.files {
		if strings.HasPrefix(n, "lectern_") && strings.HasSuffix(n, "_provenance.json") {
			if name != "" {
				return errors.New("it has two statements of provenance")
			}
			name = n
		}
	}
	if name == "" {
		return errors.New("it has no statement of provenance")
	}
	f.version = strings.TrimSuffix(strings.TrimPrefix(name, "lectern_"), "_provenance.json")
	s, err := attest.ParseStatement(f.files[name])
	if err != nil {
		return err
	}
	about, err := s.About()
	if err != nil {
		return err
	}
	real := maps.Clone(f.sums)
	delete(real, name)
	delete(real, dist.Sealed(f.version))
	if err := same(about, real, "the provenance"); err != nil {
		return err
	}
	external := s.Predicate.Definition.External
	if dirty, _ := external[attest.Dirty].(bool); !dirty || !f.opt.AllowDirty || f.opt.Key != nil {
		if f.commit, err = s.Clean(); err != nil {
			return err
		}
	}
	stated, _ := external["version"].(string)
	if (program.Source{Version: stated}).Number() != f.version || s.Predicate.Run.Builder.ID == "" {
		return errors.New("the provenance has no builder, or is for another version")
	}
	return f.sealed(name)
}

func (f *found) sealed(name string) error {
	sealed, ok := f.files[dist.Sealed(f.version)]
	if f.opt.Key == nil {
		if ok {
			return errors.New("its provenance is signed, but no public key was given")
		}
		return nil
	}
	if !ok {
		return errors.New("its provenance is not signed")
	}
	statement, err := attest.Open(f.opt.Key, sealed)
	if err != nil {
		return err
	}
	if string(statement) != string(f.files[name]) {
		return errors.New("the signed provenance differs from the plain one")
	}
	return nil
}
