package hostconfig

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// A rule stays within its line and its argument, no matter what it contains. Files remain valid, and a reader cannot
// choose the host of a redirect.
func FuzzRulesStayWithinTheirLines(f *testing.F) {
	for _, r := range rules {
		f.Add(r[0], r[1])
	}
	f.Fuzz(func(t *testing.T, source, dest string) {
		s := &site.Site{Pages: []*site.Page{{Path: "guides/next"}, {Path: "index"}},
			Redirects: []site.Redirect{{Source: source, Destination: dest}}}
		table := link.New(s, link.Relative, "", "index")
		for _, file := range Files(Site{Moved: table.Moved(s.Redirects)}) {
			text := string(file.Data)
			switch {
			case strings.HasSuffix(file.Path, ".json"):
				if !json.Valid(file.Data) {
					t.Fatalf("%s: %s", file.Path, text)
				}
			case file.Path == "_redirects":
				for line := range strings.Lines(text) {
					if fields := strings.Fields(line); len(fields) > 0 && fields[0][0] != '#' &&
						(len(fields) != 3 || fields[2] != "302" || fields[0][0] != '/' || !leads(fields[1])) {
						t.Fatalf("%q %q: %s", source, dest, line)
					}
				}
			case strings.HasSuffix(file.Path, "nginx.conf"):
				for line := range strings.Lines(text) {
					if len(line) > 4096 || strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\r\x00\n") {
						t.Fatalf("%q %q: %q", source, dest, line)
					}
				}
			}
		}
	})
}

// leads reports whether a destination is on the same host, or on a fixed host that contains no wildcard.
func leads(dest string) bool {
	if rest, web := strings.CutPrefix(strings.TrimPrefix(dest, "https://"), "http://"); web ||
		strings.HasPrefix(dest, "https://") {
		host := rest[:strings.IndexAny(rest+"/", "/?#")]
		return !strings.Contains(host, ":p") && !strings.Contains(host, ":splat")
	}
	return strings.HasPrefix(dest, "/") && !strings.HasPrefix(dest, "//") && !strings.HasPrefix(dest, "/:splat")
}
