package link

import (
	"net/url"
	"path"
	"strings"
	"testing"
)

// FuzzRelativePathResolvesToItsFile checks for any names that the relative path resolves from the folder to the file.
func FuzzRelativePathResolvesToItsFile(f *testing.F) {
	for _, s := range [][2]string{{".", "a.html"}, {"a", "a/b.html"}, {"a", "ab/c"}, {"a/b", "a/bc/d"}, {"a/b", "a"},
		{"a:b", "a:b/c:d"}, {".", "x:y/z"}, {"a/b/c", "a/x y/%2e"}, {"a", "a"}, {"é", "é/ü?#"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, dir, file string) {
		if dir != "." && path.Clean("/"+dir) != "/"+dir || path.Clean("/"+file) != "/"+file || dir == "" ||
			file == "" || strings.ContainsAny(dir+file, "\x00\r\n\t") {
			return
		}
		way := relative(dir, file)
		base := url.URL{Scheme: "https", Host: "h", Path: "/" + dir + "/page"}
		if dir == "." {
			base.Path = "/page"
		}
		to, err := base.Parse(way)
		if err != nil || to.Path != "/"+file || to.Host != "h" || to.RawQuery != "" || to.Fragment != "" {
			t.Fatalf("from %q to %q: %q leads to %v, %v", dir, file, way, to, err)
		}
		if url.PathEscape(path.Base(file)) != path.Base(escape(file)) {
			t.Fatalf("%q is escaped as %q", file, escape(file))
		}
	})
}
