package sourcetree

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func file(p string) Entry         { return Entry{Path: p, Size: 1, Key: p} }
func link(p, target string) Entry { return Entry{Path: p, Kind: Link, Target: target} }

// summary formats a plan as words of the form "path<key".
func summary(files []File) string {
	var words []string
	for _, f := range files {
		words = append(words, f.Path+"<"+f.Entry.Key)
	}
	return strings.Join(words, " ")
}

func codes(l diag.List) string {
	var out []string
	for _, d := range l {
		out = append(out, d.Code+":"+d.File)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// C11: only links inside the tree are followed. Entries that are not files are reported and left out.
func TestPlanCopiesInnerLinksAndSkipsOthers(t *testing.T) {
	cases := map[string]struct {
		in              []Entry
		files, findings string
	}{
		"plain files are sorted": {[]Entry{file("b"), file("a/z"), file("a-b")}, "a-b<a-b a/z<a/z b<b", ""},
		"link to a file":         {[]Entry{file("x/a"), link("y/l", "../x/a")}, "x/a<x/a y/l<x/a", ""},
		"link to a link":         {[]Entry{file("a"), link("m", "a"), link("l", "./m")}, "a<a l<a m<a", ""},
		"link to a folder": {[]Entry{file("d/a"), file("d/e/b"), link("l", "d")},
			"d/a<d/a d/e/b<d/e/b l/a<d/a l/e/b<d/e/b", ""},
		"link through a folder link": {[]Entry{file("d/a"), link("l", "d"), link("m", "l/a")}, "d/a<d/a l/a<d/a m<d/a",
			""},
		"dots after a folder link follow the real folder": {[]Entry{file("x/f"), file("x/d/a"), link("l", "x/d"),
			link("m", "l/../f")},
			"l/a<x/d/a m<x/f x/d/a<x/d/a x/f<x/f", ""},
		"link to /etc/passwd": {[]Entry{link("docs.json", "/etc/passwd")}, "", "link_skipped:docs.json"},
		"link out by dots":    {[]Entry{link("a/l", "../../etc/passwd")}, "", "link_skipped:a/l"},
		"link out through a link": {[]Entry{link("a", "/etc"), link("l", "a/passwd")}, "",
			"link_skipped:a link_skipped:l"},
		"broken link":            {[]Entry{link("l", "gone")}, "", "link_skipped:l"},
		"empty link":             {[]Entry{link("l", "")}, "", "link_skipped:l"},
		"link to itself":         {[]Entry{link("l", "l")}, "", "link_skipped:l"},
		"two links in a ring":    {[]Entry{link("a", "b"), link("b", "a")}, "", "link_skipped:a link_skipped:b"},
		"link to its own folder": {[]Entry{file("d/a"), link("d/l", ".")}, "d/a<d/a", "link_skipped:d/l"},
		"link to the root":       {[]Entry{file("a"), link("d/l", "..")}, "a<a", "link_skipped:d/l"},
		"folders that link across": {[]Entry{file("a/f"), link("a/l", "../b"), link("b/m", "../a")},
			"a/f<a/f b/m/f<a/f", "link_skipped:a/l link_skipped:b/m"},
		"submodule": {[]Entry{{Path: "m", Kind: Submodule}, link("l", "m")}, "",
			"submodule_skipped:l submodule_skipped:m"},
		"pipe":                {[]Entry{{Path: "p", Kind: Special}}, "", "special_file_skipped:p"},
		"file beyond the cap": {[]Entry{{Path: "big", Size: 101 << 20}, file("a")}, "a<a", "file_too_large:big"},
		"same name twice": {[]Entry{file("a"), {Path: "a", Size: 1, Key: "second"}}, "a<a",
			"duplicate_file_name:a"},
		"file and folder alike": {[]Entry{file("a"), file("a/b"), file("c/d"), file("c")}, "a<a c/d<c/d",
			"duplicate_file_name:a/b duplicate_file_name:c"},
		"link as a folder": {[]Entry{link("a", "/tmp"), file("a/b")}, "",
			"duplicate_file_name:a/b link_skipped:a"},
		"odd but harmless names": {[]Entry{file("--upload-pack"), file("a b"), file("$(x)"), file("ü")},
			"$(x)<$(x) --upload-pack<--upload-pack a b<a b ü<ü", ""},
		"a link named like a folder": {[]Entry{file("d/a"), link("d2", "d/"), link("s", "d/a/")},
			"d/a<d/a d2/a<d/a s<d/a", ""},
	}
	for name, c := range cases {
		files, findings, err := Plan(c.in, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := summary(files); got != c.files {
			t.Errorf("%s: files %q, want %q", name, got, c.files)
		}
		if got := codes(findings); got != c.findings {
			t.Errorf("%s: reported %q, want %q", name, got, c.findings)
		}
	}
}

func TestUnusableNamesAreSkipped(t *testing.T) {
	bad := []string{"", ".", "..", "../a", "a/../b", "/a", "a//b", "a/", "a\x00b", "a\nb", `a\b`, "\xff", ".git/config",
		"a/.GIT/hooks/x",
		strings.Repeat("n", 256), strings.Repeat("d/", 600) + "f"}
	for _, p := range bad {
		files, findings, err := Plan([]Entry{file(p)}, Limits{})
		if err != nil || len(files) != 0 || len(findings) != 1 || findings[0].Code != "bad_file_name" {
			t.Errorf("%.40q: %d files, %v, %v", p, len(files), findings, err)
		}
		if len(findings) == 1 && (strings.ContainsAny(findings[0].File, "\x00\n") || !utf8.ValidString(findings[0].File)) {
			t.Errorf("%q: the diagnostic repeats raw bytes", p)
		}
	}
}

func TestLimitsRejectWholeTree(t *testing.T) {
	var many []Entry
	for i := range 11 {
		many = append(many, file(fmt.Sprint("f", i)))
	}
	if _, _, err := Plan(many, Limits{Files: 10}); !fault.HasCode(err, "source_too_many_files") {
		t.Errorf("files: %v", err)
	}
	if _, _, err := Plan(many, Limits{Bytes: 10}); !fault.HasCode(err, "source_too_large") {
		t.Errorf("bytes: %v", err)
	}
	if _, _, err := Plan(many, Limits{Files: 11, Bytes: 11}); err != nil {
		t.Errorf("exactly at the limits: %v", err)
	}
}

// If each folder has two links to the next one, the number of folders doubles at every level. Plan must stop at a
// limit.
func TestLinkBombsHitLimit(t *testing.T) {
	var bomb []Entry
	for i := range 40 {
		for _, side := range []string{"l", "r"} {
			bomb = append(bomb, link(fmt.Sprintf("d%d/%s", i, side), fmt.Sprintf("../d%d", i+1)))
		}
	}
	for _, leaf := range []Entry{file("d40/f"), {Path: "d40/m", Kind: Submodule}} {
		if _, _, err := Plan(append(bomb[:len(bomb):len(bomb)], leaf), Limits{}); !fault.HasCode(err,
			"source_too_many_files") {
			t.Errorf("%s: %v", leaf.Path, err)
		}
	}
}

func TestWriterStaysInsideItsFolder(t *testing.T) {
	dst := t.TempDir()
	w, err := OpenWriter(dst, Limits{FileBytes: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Put("a/b/c.md", "", strings.NewReader("hello")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"../out", "/abs", "a/b/c.md"} {
		if err := w.Put(p, "", strings.NewReader("x")); err == nil {
			t.Errorf("%s was written", p)
		}
	}
	if err := w.Put("grew", "", strings.NewReader("12345678901")); err == nil {
		t.Error("a file beyond the limit was written")
	}
	if got, err := os.ReadFile(filepath.Join(dst, "a", "b", "c.md")); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := OpenWriter(dst, Limits{}); err == nil {
		t.Error("a non-empty folder was opened")
	}
}

// FuzzPlan checks that no tree, however tangled, results in a path outside the folder or an endless plan.
func FuzzPlan(f *testing.F) {
	f.Add("a\nl>a\nd/x\nm>d\nn>../..\n.git/x")
	f.Add("a/l>../b\nb/m>../a\nc>a/l/m")
	f.Fuzz(func(t *testing.T, tree string) {
		var entries []Entry
		for line := range strings.SplitSeq(tree, "\n") {
			if p, target, isLink := strings.Cut(line, ">"); isLink {
				entries = append(entries, link(p, target))
			} else {
				entries = append(entries, file(p))
			}
		}
		files, _, err := Plan(entries, Limits{Files: 500})
		if err != nil {
			return
		}
		for i, x := range files {
			if badName(x.Path) != "" || x.Entry.Kind != Regular || i > 0 && files[i-1].Path >= x.Path {
				t.Fatalf("bad file %q", x.Path)
			}
		}
	})
}
