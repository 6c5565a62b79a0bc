package blob_test

import (
	"io/fs"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

func TestKeysFollowTheGrammar(t *testing.T) {
	for _, key := range []string{
		"a", "a/b", "A/0/z_-.", "...", ".a", "a..b", strings.Repeat("a", 255), strings.Repeat("a/", 255) + "ab",
	} {
		if !blob.ValidKey(key) || blob.CheckKey(key) != nil {
			t.Errorf("%q is refused", key)
		}
	}
	for _, key := range []string{
		"", "/", "a/", "/a", "a//b", ".", "..", "a/..", "./a", "a b", "a\\b", "ä", "a%62", "a~", "a\x00",
		strings.Repeat("a", 256), strings.Repeat("a/", 256) + "a",
	} {
		if blob.ValidKey(key) || !fault.HasCode(blob.CheckKey(key), "bad_blob_key") {
			t.Errorf("%q is accepted", key)
		}
	}
}

func TestCheckPrefixAcceptsStartsOfKeys(t *testing.T) {
	for prefix, want := range map[string]bool{
		"": true, "a": true, "a/": true, "a/.": true, "..": true, strings.Repeat("a", 255): true,
		"/": false, "a//": false, "../": false, "a/../b": false, "~": false, strings.Repeat("a", 256): false,
		strings.Repeat("a/", 256) + "a": false,
	} {
		if got := blob.CheckPrefix(prefix) == nil; got != want {
			t.Errorf("prefix %q: accepted %v", prefix, got)
		}
	}
}

// FuzzValidKey checks that a valid key needs no escaping anywhere and that each of its prefixes is a valid prefix.
func FuzzValidKey(f *testing.F) {
	for _, key := range []string{"a/b", "../x", "a/./b", "a%2f", "\x00", "ü", "A.b_c-d/0"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if !blob.ValidKey(key) {
			return
		}
		parsed, err := url.Parse("http://host/blob/" + key)
		if err != nil || parsed.Path != "/blob/"+key || parsed.RawPath != "" || parsed.JoinPath().Path != parsed.Path {
			t.Errorf("%q is not plain in a URL", key)
		}
		if !fs.ValidPath(key) || len(key) > 512 {
			t.Errorf("%q is not a plain path", key)
		}
		for i := range key {
			if err := blob.CheckPrefix(key[:i]); err != nil {
				t.Errorf("prefix %q: %v", key[:i], err)
			}
		}
	})
}

func FuzzFilenameMakesOneHarmlessHeader(f *testing.F) {
	for _, name := range []string{"", "a.zip", `"`, "a\r\nb", "ü", "a;b=c", "\xff", "%", "*", "a'b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		name, err := blob.Filename("folder/key.tar.gz", name)
		if err != nil {
			return
		}
		header := blob.Disposition(name)
		if !strings.HasPrefix(header, "attachment; filename") {
			t.Errorf("%q gives %q", name, header)
		}
		for i := range len(header) {
			if header[i] < ' ' || header[i] > '~' {
				t.Errorf("%q gives %q", name, header)
			}
		}
	})
}
