package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func untidySite(t *testing.T) string {
	t.Helper()
	files := siteFiles()
	files["index.mdx"] = "---\ntitle: Welcome\n---\n\n##  Hello   \nText.\n\n* one\n* two\n"
	files["snippets/part.mdx"] = "<Card  title='A'/>"
	files["drafts/skip.mdx"] = "text   \n"
	files["broken.mdx"] = "<A>\n<B>\n\ntext   \n\n</A>\n\n<B></B>\n"
	files[".mintignore"] = "drafts/\n"
	return write(t, files)
}

const tidyIndex = "---\ntitle: Welcome\n---\n\n## Hello\n\nText.\n\n- one\n- two\n"

func TestFmtContinuesAfterUnparsablePage(t *testing.T) {
	t.Parallel()
	dir := untidySite(t)
	index := filepath.Join(dir, "index.mdx")
	if err := os.Chmod(index, 0o640); err != nil {
		t.Fatal(err)
	}
	before := read(t, filepath.Join(dir, "broken.mdx"))
	files := list(t, dir)
	a := invoke(t, "fmt", dir).want(t, 1, "2 pages changed, 1 unchanged, 1 refused", "broken.mdx:2:1: error:")
	if want := index + "\n" + filepath.Join(dir, "snippets", "part.mdx") + "\n"; a.stdout != want {
		t.Errorf("printed %q, want %q", a.stdout, want)
	}
	if got := read(t, index); got != tidyIndex {
		t.Errorf("index is %q", got)
	}
	if got := read(t, filepath.Join(dir, "snippets", "part.mdx")); got != "<Card title=\"A\" />\n" {
		t.Errorf("the snippet is %q", got)
	}
	if read(t, filepath.Join(dir, "drafts", "skip.mdx")) != "text   \n" ||
		read(t, filepath.Join(dir, "broken.mdx")) != before {
		t.Error("an ignored page or a broken page was changed")
	}
	if info, err := os.Stat(index); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions are %v, %v", info.Mode(), err)
	}
	if got := list(t, dir); fmt.Sprint(got) != fmt.Sprint(files) {
		t.Errorf("files are now %v", got)
	}
	if err := os.Remove(filepath.Join(dir, "broken.mdx")); err != nil {
		t.Fatal(err)
	}
	if a := invoke(t, "fmt", dir, "--check").
		want(t, 0, "0 pages to be changed, 3 unchanged, 0 refused"); a.stdout != "" {
		t.Errorf("formatted pages are listed: %s", a.stdout)
	}
}

func TestFmtCheckAndDiffChangeNothing(t *testing.T) {
	t.Parallel()
	dir := untidySite(t)
	index := filepath.Join(dir, "index.mdx")
	before := read(t, index)
	if a := invoke(t, "fmt", index, "--check").want(t, 1, "1 page to be changed"); a.stdout != index+"\n" {
		t.Errorf("printed %q", a.stdout)
	}
	a := invoke(t, "fmt", index, "--diff").want(t, 0)
	want := "--- " + index + "\n+++ " + index +
		"\n@@ -2,8 +2,9 @@\n title: Welcome\n ---\n \n-##  Hello   \n+## Hello\n+\n Text.\n \n-* one\n-* two\n+- one\n+- two\n"
	if a.stdout != want {
		t.Errorf("printed:\n%s\nwant:\n%s", a.stdout, want)
	}
	if read(t, index) != before {
		t.Error("the page was changed")
	}
}

func TestFmtPrintsJSON(t *testing.T) {
	t.Parallel()
	dir := untidySite(t)
	a := invoke(t, "fmt", dir, "--json", "--check").want(t, 1)
	lines := strings.Split(strings.TrimSpace(a.stdout), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"status":"refused","diagnostics":[{"file":"`) ||
		!strings.Contains(lines[1], `index.mdx","status":"changed","diagnostics":[]}`) {
		t.Errorf("printed %s", a.stdout)
	}
}

func TestFmtFollowsALinkToThePage(t *testing.T) {
	t.Parallel()
	dir := untidySite(t)
	name := filepath.Join(t.TempDir(), "link.mdx")
	if err := os.Symlink(filepath.Join(dir, "index.mdx"), name); err != nil {
		t.Fatal(err)
	}
	invoke(t, "fmt", name).want(t, 0, "1 page changed")
	if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info.Mode(), err)
	}
	if read(t, filepath.Join(dir, "index.mdx")) != tidyIndex {
		t.Error("the page was not changed")
	}
}

func TestFmtRefusesMissingFiles(t *testing.T) {
	t.Parallel()
	invoke(t, "fmt", filepath.Join(t.TempDir(), "none")).
		want(t, 2, "none does not exist.", "Pass a docs folder or a page.")
}
