package deb

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// Debian's own program reads the package.
func TestDpkgReadsPackage(t *testing.T) {
	p := Package{Name: "thing", Version: "1.2~rc.1", Arch: "all", Maintainer: "Somebody <somebody@example.com>",
		Summary: "a thing", Description: "one\n\ntwo",
		Depends: []string{"git", "passwd"}, Conffiles: []string{"/etc/thing.conf"},
		Scripts: map[string]string{"postinst": "#!/bin/sh\n"}, Time: time.Unix(1700000000, 0),
		Files: []tree.File{{Name: "etc/thing.conf", Mode: 0o600, Body: []byte("odd")},
			{Name: "usr/bin/thing", Mode: 0o755, Body: []byte("even")}}}
	one, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.Bytes(); err != nil || !bytes.Equal(one, again) {
		t.Fatalf("the same package has different bytes (error %v)", err)
	}
	file := filepath.Join(t.TempDir(), "thing.deb")
	if err := os.WriteFile(file, one, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--info", file}, []string{"Package: thing", "Version: 1.2~rc.1", "Depends: git, passwd",
			"Description: a thing\n  one\n  .\n  two", "conffiles", "postinst"}},
		{[]string{"--contents", file}, []string{"-rw------- 0/0               3 2023-11-14 22:13 ./etc/thing.conf",
			"-rwxr-xr-x 0/0               4 2023-11-14 22:13 ./usr/bin/thing"}},
		{[]string{"--field", file, "Installed-Size"}, []string{"2"}},
	} {
		cmd := exec.Command("dpkg-deb", c.args...)
		cmd.Env = append(cmd.Environ(), "TZ=UTC", "LC_ALL=C")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", c.args, err, out)
		}
		for _, want := range c.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%v does not print %q:\n%s", c.args, want, out)
			}
		}
	}
}

func TestMissingConffileIsRefused(t *testing.T) {
	if _, err := (Package{Conffiles: []string{"/etc/none"}}).Bytes(); err == nil {
		t.Error("accepted")
	}
}
