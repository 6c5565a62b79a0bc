package load

import (
	"strings"
	"testing"
)

func TestIgnoreRulesMatchGit(t *testing.T) {
	for _, c := range []struct {
		rules, yes, no string
	}{
		{"*.log\n!keep.log", "x.log d/x.log", "keep.log d/keep.log x.txt"},
		{"/root.md", "root.md", "d/root.md"},
		{"a/b.md", "a/b.md", "c/a/b.md b.md"},
		{"**/b.md", "b.md a/b.md a/c/b.md", "b.mdx"},
		{"a/**/z.md", "a/z.md a/b/z.md a/b/c/z.md", "z.md b/a/z.md"},
		{"a/**", "a/b a/b/c", "a b/a"},
		{"dir/", "", "dir d/dir"}, // files with that name
		{"[!a]x", "bx", "ax"},
		{"[a-c]?.md", "b1.md", "d1.md b12.md"},
		{`\#x` + "\n" + `\!y`, "#x !y", "x y"},
		{"# comment\n\n   \nx\r\n", "x", "# comment"},
		{"x  \ny\\ ", "x", "y"},
		{"!a\na", "a", ""},
		{"a\n!a\na", "a", ""},
		{"[", "", "["},
		{strings.Repeat("**/a/", 30) + "b", "", strings.Repeat("a/", 60) + "c"},
	} {
		ig := &ignore{}
		for line := range strings.SplitSeq(c.rules, "\n") {
			ig.add("", line)
		}
		for _, name := range strings.Fields(c.yes) {
			if !ig.match(name, false) {
				t.Errorf("%q does not exclude %s", c.rules, name)
			}
		}
		for _, name := range strings.Fields(c.no) {
			if ig.match(name, false) {
				t.Errorf("%q excludes %s", c.rules, name)
			}
		}
	}
}

func TestBothIgnoreFilesApplyInEveryFolder(t *testing.T) {
	text := map[string]string{
		"docs.json": `{"name": "x", "navigation": ["a", "drafts/named"]}`, "a.mdx": "x",
		".mintignore": "drafts\n*.tmp.mdx\n", ".lecternignore": "!kept.tmp.mdx\nold.mdx\n",
		"drafts/b.mdx": "x", "drafts/named.mdx": "x", "x.tmp.mdx": "x", "kept.tmp.mdx": "x", "old.mdx": "x",
		"sub/old.mdx":        "x",
		"sub/.lecternignore": "!old.mdx\n/here.mdx\n*.secret.mdx\n", "sub/here.mdx": "x", "sub/deep/here.mdx": "x",
		"sub/x.secret.mdx": "x", "y.secret.mdx": "x", "sub/deep/.mintignore": "all/\n", "sub/deep/all/z.mdx": "x",
	}
	s, _ := load(t, files(text))
	want := "a drafts/named kept.tmp sub/deep/here sub/old y.secret"
	if got := strings.Join(paths(s), " "); got != want {
		t.Errorf("pages %s, want %s", got, want)
	}
	got, err := Sources(t.Context(), files(text))
	if want := "a.mdx kept.tmp.mdx sub/deep/here.mdx sub/old.mdx y.secret.mdx"; err != nil ||
		strings.Join(got, " ") != want {
		t.Errorf("sources %v, %v", got, err)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("a/**/b\n!c", "a/x/b")
	f.Add("[a-\n\\", "[a-")
	f.Fuzz(func(t *testing.T, rules, name string) {
		ig := standing()
		for line := range strings.SplitSeq(rules, "\n") {
			ig.add("", line)
		}
		ig.match(name, false)
		ig.match(name, true)
	})
}

// C7: a rule that could not be read may exclude a private file. In this case, only pages that the navigation names are
// published.
func TestTruncatedIgnoreRulesExcludeEverything(t *testing.T) {
	for name, rules := range map[string]string{
		"too many":  strings.Repeat("x*\n", maxIgnoreRules) + "secret.mdx\n",
		"too large": strings.Repeat("#\n", maxIgnoreFile/2) + "secret.mdx\n",
	} {
		s, list := load(t, files(map[string]string{
			"docs.json": `{"name": "x", "navigation": ["a", "sub/b"]}`, "a.mdx": "x", "sub/b.mdx": "x",
			"sub/c.mdx": "x", "secret.mdx": "x", "secret.json": "{}", ".lecternignore": rules,
		}))
		if got := strings.Join(paths(s), " "); got != "a sub/b" || len(s.Assets) > 0 ||
			codes(list) != ". ignore-unreadable" {
			t.Errorf("%s: pages %s, files %v, findings %s", name, got, s.Assets, codes(list))
		}
	}
}

func TestKeepsAppliesParentFolderRules(t *testing.T) {
	keeps := Keeps(files(map[string]string{
		".lecternignore": "*.key\n/.a/b/\n", ".a/.lecternignore": "!x.key\nnotes.txt\n", ".a/x.key": "",
		".a/b/c.txt": "", ".a/notes.txt": "", ".a/d/e.txt": "",
	}))
	for name, want := range map[string]bool{".a/x.key": true, ".b/x.key": false, ".a/b/c.txt": false,
		".a/notes.txt": false, ".a/d/notes.txt": false, ".a/d/e.txt": true, "x": true} {
		if keeps(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}
