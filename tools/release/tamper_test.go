package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
	"github.com/lectern-docs/lectern/tools/release/internal/check"
	"github.com/lectern-docs/lectern/tools/release/internal/dist"
	"github.com/lectern-docs/lectern/tools/release/internal/program"
	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

func public(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }

// whole returns the release's files in memory.
func whole(t *testing.T) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(built)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		out[e.Name()] = read(t, filepath.Join(built, e.Name()))
	}
	return out
}

func signed() check.Options {
	return check.Options{Key: public(testKey), Platforms: []program.Platform{linux}}
}

func TestCompleteReleaseIsAccepted(t *testing.T) {
	if err := check.Dir(built, signed()); err != nil {
		t.Error(err)
	}
	if err := check.Dir(built, check.Options{Key: public(testKey)}); err == nil {
		t.Error("a release without the other platforms is accepted as complete")
	}
}

// S2: a release with a changed byte in any file, a missing or additional file, another key, or no signature is refused.
func TestChangedReleaseIsRefused(t *testing.T) {
	release, other := whole(t), ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
	refused := func(name string, opt check.Options, change func(map[string][]byte)) {
		t.Helper()
		files := maps.Clone(release)
		change(files)
		if err := check.Files(files, opt); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(release)) {
		refused("a byte of "+name, signed(), func(f map[string][]byte) {
			f[name] = slices.Clone(f[name])
			f[name][len(f[name])/3] ^= 1
		})
		refused("without "+name, signed(), func(f map[string][]byte) { delete(f, name) })
	}
	refused("a file more", signed(), func(f map[string][]byte) { f["install.sh"] = []byte("#!/bin/sh\n") })
	refused("a file more, listed", signed(),
		func(f map[string][]byte) { f["install.sh"] = []byte("#!/bin/sh\n"); sum(f, nil) })
	refused("signed by somebody else", signed(), func(f map[string][]byte) { sum(f, other) })
	refused("checked with another key", check.Options{Key: public(other), Platforms: []program.Platform{linux}},
		func(map[string][]byte) {})
	refused("no key given", check.Options{Platforms: []program.Platform{linux}}, func(map[string][]byte) {})
	refused("signed, but called unsigned", check.Options{Unsigned: true, Platforms: []program.Platform{linux}},
		func(map[string][]byte) {})
}

// S2, H11: a valid signature is not enough: files that do not belong together are rejected.
func TestInconsistentReleaseIsRefused(t *testing.T) {
	release := whole(t)
	for name, change := range map[string]func(t *testing.T, f map[string][]byte){
		"listed, not in the provenance": func(t *testing.T, f map[string][]byte) {
			f[dist.Chart(version)] = repack(t, f[dist.Chart(version)], "lectern/values.yaml", []byte("image: {}\n"))
			sum(f, testKey)
		},
		"another program in the archive": func(t *testing.T, f map[string][]byte) {
			name := dist.Archive(version, linux)
			f[name] = repack(t, f[name], "lectern_"+version+"_linux_"+linux.Arch+"/lectern", []byte("#!/bin/sh\n"))
			seal(t, f)
		},
		"a chart of another version": func(t *testing.T, f map[string][]byte) {
			f[dist.Chart(version)] = repack(t, f[dist.Chart(version)], "lectern/Chart.yaml",
				[]byte("version: 9.9.9\nappVersion: \"9.9.9\"\n"))
			seal(t, f)
		},
		"a module less in the list of parts": func(t *testing.T, f map[string][]byte) {
			name := dist.Parts(version, linux)
			f[name] = bytes.Replace(f[name], []byte("pkg:golang/modernc.org/sqlite@"),
				[]byte("pkg:golang/modernc.org/another@"), -1)
			seal(t, f)
		},
		"an image with another list of parts": func(t *testing.T, f map[string][]byte) {
			name := dist.ImageParts("lectern", version, linux.Arch)
			f[name] = append(slices.Clone(f[name]), '\n')
			seal(t, f)
		},
		"the other image": func(t *testing.T, f map[string][]byte) {
			f[dist.Image("lectern", version)] = f[dist.Image("lectern-platform", version)]
			seal(t, f)
		},
		"a package of another architecture": func(t *testing.T, f map[string][]byte) {
			name := dist.Deb(version, linux.Arch)
			f[name] = bytes.Replace(f[name], []byte("debian-binary"), []byte("debian-binery"), 1)
			f[name] = f[name][:len(f[name])/2]
			seal(t, f)
		},
		"provenance sealed for other files": func(t *testing.T, f map[string][]byte) {
			plain := bytes.Replace(f[dist.Provenance(version)], []byte("example.com/tests"),
				[]byte("example.org/tests"), 1)
			f[dist.Provenance(version)] = plain
			sum(f, testKey)
		},
	} {
		files := maps.Clone(release)
		change(t, files)
		if err := check.Files(files, signed()); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	files := maps.Clone(release)
	seal(t, files)
	if !maps.EqualFunc(files, release, bytes.Equal) {
		t.Error("resealing without a change alters the release: the cases above prove nothing")
	}
}

func TestUnsignedReleaseIsAcceptedOnlyWithFlag(t *testing.T) {
	files := whole(t)
	delete(files, dist.SignatureFile)
	delete(files, dist.Sealed(version))
	sum(files, nil)
	if err := check.Files(files, check.Options{Unsigned: true, Platforms: []program.Platform{linux}}); err != nil {
		t.Error(err)
	}
	if err := check.Files(files, signed()); err == nil {
		t.Error("an unsigned release is accepted as signed")
	}
}

// sum updates the checksums, and signs them if there is a key.
func sum(f map[string][]byte, key ed25519.PrivateKey) {
	rest := maps.Clone(f)
	delete(rest, dist.SumsFile)
	delete(rest, dist.SignatureFile)
	f[dist.SumsFile] = []byte(attest.Of(rest).String())
	if key != nil {
		f[dist.SignatureFile] = attest.Sign(key, f[dist.SumsFile])
	}
}

// seal updates provenance, checksums and signatures for changed files.
func seal(t *testing.T, f map[string][]byte) {
	t.Helper()
	old, err := attest.ParseStatement(f[dist.Provenance(version)])
	if err != nil {
		t.Fatal(err)
	}
	rest := maps.Clone(f)
	for _, name := range []string{dist.SumsFile, dist.SignatureFile, dist.Provenance(version), dist.Sealed(version)} {
		delete(rest, name)
	}
	statement, err := attest.NewStatement(attest.Of(rest), old.Predicate).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := attest.Seal(testKey, statement)
	if err != nil {
		t.Fatal(err)
	}
	f[dist.Provenance(version)], f[dist.Sealed(version)] = statement, sealed
	sum(f, testKey)
}

// repack replaces a file in a tar.gz.
func repack(t *testing.T, packed []byte, name string, body []byte) []byte {
	t.Helper()
	var list []tree.File
	for n, b := range untar(t, packed) {
		if n == name {
			b = body
		}
		list = append(list, tree.File{Name: n, Mode: 0o644, Body: b})
	}
	out, err := tree.TarGz("", list, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func files(t *testing.T, archive string) map[string][]byte {
	t.Helper()
	return untar(t, read(t, archive))
}

func untar(t *testing.T, packed []byte) map[string][]byte {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for tr := tar.NewReader(zip); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, "/") {
			if out[h.Name], err = io.ReadAll(tr); err != nil {
				t.Fatal(err)
			}
		}
	}
}
