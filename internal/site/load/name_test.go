package load

import (
	"slices"
	"testing"
)

// Every file name that Git allows is a valid page name, except names that some operating system would resolve outside
// the folder.
func TestPageNamesMayContainUnusualCharacters(t *testing.T) {
	src := map[string]string{
		"docs.json": `{"name": "x", "navigation": {"pages": ["ab:c", "what?", "100%", "c#", "xx:y/p&q"]}}`,
		"img:1.svg": "<svg/>"}
	names := []string{`"`, "'", "*", "<>", "|", " x", "ab:c", "what?", "100%", "100%25", "c#", "xx:y/p&q", "[a]{b}",
		"semi;", "+", "=@~", "é😀"}
	for _, name := range names {
		src[name+".mdx"] = "---\ntitle: T\n---\nx\n"
	}
	s, list := load(t, files(src))
	if len(list) > 0 {
		t.Error(list)
	}
	for _, name := range names {
		if s.Find(name) == nil {
			t.Errorf("%q is not a page", name)
		}
	}
	for _, name := range []string{"ab:c", "what?", "100%", "c#", "xx:y/p&q"} {
		if p := s.Find(name); p == nil || !p.Listed {
			t.Errorf("navigation does not name %q", name)
		}
	}
	if s.FindAsset("img:1.svg") == nil {
		t.Error("the picture is missing")
	}
}

func TestNamesUnsafeOnOtherSystemsAreReported(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"c:/x.mdx": "x", "d:x.mdx": "x", "a\\b.mdx": "x", "tab\t.mdx": "x", "fine.mdx": "x",
		"docs.json": `{"name": "x", "navigation": ["fine"]}`,
	}))
	var got []string
	for _, d := range list {
		if d.Hint == "" || d.Code != "bad-name" {
			t.Errorf("%+v", d)
		}
		got = append(got, d.Message)
	}
	want := []string{
		"The file's name cannot be used in a published site: some systems treat the backslash as a folder separator.",
		"The file's name cannot be used in a published site: some systems treat the first letter and colon as a drive.",
		"The file's name cannot be used in a published site: some systems treat the first letter and colon as a drive.",
		"The file's name cannot be used in a published site: it contains a control character.",
	}
	if len(s.Pages) != 1 || !slices.Equal(got, want) {
		t.Errorf("%d pages, %q", len(s.Pages), got)
	}
}
