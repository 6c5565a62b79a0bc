package output

import "testing"

// Windows interprets a letter and a colon at the start as a drive, with or without a slash after it. Elsewhere a colon
// is part of a name.
func TestValidPathRefusesDrives(t *testing.T) {
	for path, want := range map[string]bool{
		"c:/d.html": false, "c:d.html": false, "C:d.html": false, "z:": false, "c:d/e.html": false,
		"cd:e.html": true, "guides/c:d.html": true, "1:2.html": true, "é:d.html": true, "c": true, "c.html": true,
		":a.html": true,
	} {
		if got := ValidPath(path); got != want {
			t.Errorf("%q is valid: %v", path, got)
		}
	}
}

func TestTextMediaTypesAreCompressible(t *testing.T) {
	for name, want := range map[string]bool{
		"a.html": true, "a.md": true, "a.svg": true, "feed.xml": true, "a.json": true, ".well-known/api-catalog": true,
		"a.wasm": true,
		"a.png":  false, "a.woff2": false, "a.zip": false, "a.unknown": false,
	} {
		if got := Compressible(ContentType(name)); got != want {
			t.Errorf("%s (%s): %v", name, ContentType(name), got)
		}
	}
}
