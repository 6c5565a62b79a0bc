package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPackageLicenceIsReadFromExpression(t *testing.T) {
	for expression, want := range map[string]string{
		"MIT":                         "MIT",
		"MPL-2.0 OR Apache-2.0":       "MPL-2.0 Apache-2.0",
		"EPL-2.0 OR MIT":              "MIT",
		"CC-BY-4.0 AND OFL-1.1":       "CC-BY-4.0 OFL-1.1",
		"":                            "",
		"EPL-2.0 OR GPL-3.0-or-later": "",
		"MIT AND GPL-3.0-only":        "",
		"MIT AND (ISC OR EPL-2.0)":    "",
	} {
		names, err := chosen(expression)
		if got := strings.Join(names, " "); got != want || (err == nil) != (want != "") {
			t.Errorf("%q gives %q and error %v, want %q", expression, got, err, want)
		}
	}
}

func TestPackageWithMismatchedLicenceTextIsRefused(t *testing.T) {
	const mit, apache = "Permission is hereby granted, free of charge", "Apache License Version 2.0"
	for _, c := range []struct {
		licence, text string
		ok            bool
	}{{`"MIT"`, mit, true}, {`"MIT"`, apache, false}, {`""`, mit, true}, {`"EPL-2.0"`, mit, false}} {
		dir := t.TempDir()
		for name, content := range map[string]string{"package.json": `{"name":"x","version":"1.0.0","license":` +
			c.licence + `}`, "LICENSE": c.text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		row, err := npmRow(dir)
		if (err == nil) != c.ok || c.ok && row != "| x | 1.0.0 | MIT |\n" {
			t.Errorf("%+v: row %q, error %v", c, row, err)
		}
	}
}
