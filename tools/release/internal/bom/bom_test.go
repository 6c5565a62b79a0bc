package bom

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/debian"
)

func TestNonGoFileHasNoModules(t *testing.T) {
	if got, err := Modules([]byte("#!/bin/sh\n"), Licences{}); err == nil {
		t.Errorf("a script has the modules %v", got)
	}
}

func TestLicencesAreReadByNameAndVersion(t *testing.T) {
	l := ParseLicences(
		"# x\n\n| module | version | licence (SPDX) |\n|---|---|---|\n| a.example/b | v1.0.0 | MIT AND ISC |\n")
	if got, err := l.of("a.example/b", "v1.0.0"); err != nil || got[0].Expression != "MIT AND ISC" {
		t.Errorf("got %v, error %v", got, err)
	}
	if _, err := l.of("a.example/b", "v1.0.1"); err == nil {
		t.Error("another version has the same licence without a review")
	}
}

func TestEqualListsHaveSameSerial(t *testing.T) {
	parts := Debian("debian-13", []debian.Package{{Name: "git", Arch: "amd64", Version: "1:2.0+x", SHA256: "ab"}})
	one, other := New(Program("x", "1", []byte("x")), parts, time.Unix(0, 0)),
		New(Program("x", "1", []byte("x")), parts, time.Unix(0, 0))
	if one.Serial != other.Serial || one.Serial == New(Program("x", "1", []byte("y")), parts, time.Unix(0, 0)).Serial ||
		len(one.Serial) != len("urn:uuid:")+36 {
		t.Errorf("the serial numbers are %s and %s", one.Serial, other.Serial)
	}
	if got, want := parts[0].PURL, "pkg:deb/debian/git@1%3A2.0%2Bx?arch=amd64&distro=debian-13"; got != want {
		t.Errorf("a package is %s, want %s", got, want)
	}
}
