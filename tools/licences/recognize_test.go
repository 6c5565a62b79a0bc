package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRecognizeFindsEveryLicenceInText(t *testing.T) {
	const (
		mit = "Permission is hereby granted, free of\n   charge, to any person"
		bsd = "Redistribution and use in source and binary forms, with or without modification"
	)
	for text, want := range map[string]string{
		mit:                                 "MIT",
		bsd:                                 "BSD-2-Clause",
		bsd + "\nNeither the name of X nor": "BSD-3-Clause",
		"Apache License\nVersion 2.0, January 2004\n" +
			mit: "Apache-2.0 MIT",
		"Mozilla Public License Version 2.0, or the GNU Affero General Public License, Version 3.0": "MPL-2.0",
		"SIL Open Font License, Version 1.1\n" + mit +
			" obtaining a copy of the Font Software": "OFL-1.1",
		"SIL Open Font License\n" + mit + " obtaining a copy of the Font Software\n" + mit +
			" obtaining a copy": "MIT OFL-1.1",
		"All rights reserved.": "",
	} {
		if got := strings.Join(recognize(text), " "); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestUnknownOrDisallowedLicenceIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"unknown":     "You may look at this on Sundays.",
		"not allowed": "The GNU Affero General Public License is a free, copyleft license for software",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "LICENSE.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := licenceOf(dir); err == nil {
			t.Errorf("%s: taken for %q", name, got)
		}
	}
}

func TestOwnLicenceIsApache(t *testing.T) {
	if got, err := licenceOf("../.."); err != nil || got != "Apache-2.0" {
		t.Errorf("our own licence is %q (error %v)", got, err)
	}
}
