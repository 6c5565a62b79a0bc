package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

func TestCheckReportsProseFindings(t *testing.T) {
	t.Parallel()
	vale, err := testserver.Installed("bin/vale-v3.21.0")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{".vale.ini": "StylesPath = styles\n[docs/*.mdx]\nBasedOnStyles = House\n",
		"styles/House/Simply.yml": "extends: existence\nmessage: Leave it out.\nlevel: error\ntokens:\n  - simply\n", ".git/HEAD": "ref: x\n"}
	for name, text := range siteFiles() {
		files["docs/"+name] = text
	}
	files["docs/index.mdx"] = "---\ntitle: Welcome\n---\n\nIt is simply good.\n"
	dir := filepath.Join(write(t, files), "docs")
	a := invoke(t, "check", dir, "--prose", "--vale", vale).want(t, 1, "1 error, 0 warnings\n")
	if !strings.Contains(a.stdout, "index.mdx:5:7: error: Leave it out. (House.Simply) [prose]") || !strings.Contains(a.stderr, "checked by .vale.ini\n") {
		t.Errorf("%s\n%s", a.stdout, a.stderr)
	}
	invoke(t, "check", dir, "--prose", "--vale", "no-such-vale").want(t, 2, `The program "no-such-vale"`)
	if err := os.Remove(filepath.Join(dir, "..", ".vale.ini")); err != nil {
		t.Fatal(err)
	}
	invoke(t, "check", dir, "--prose", "--vale", vale).want(t, 2, "There is no .vale.ini")
}
