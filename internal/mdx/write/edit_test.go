package write

import (
	"errors"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
)

func TestApplyKeepsEveryOtherByte(t *testing.T) {
	body := []byte("0123456789")
	out, err := Apply(body, []Edit{replace(7, 8, ""), insert(3, "a"), replace(0, 1, "xyz"), insert(3, "b"),
		insert(10, "!")})
	if err != nil || string(out) != "xyz12ab345689!" {
		t.Errorf("%q %v", out, err)
	}
	for _, edits := range [][]Edit{{replace(1, 4, ""), replace(3, 5, "")}, {replace(8, 11, "")}, {replace(-1, 0, "")},
		{replace(5, 4, "")}, {replace(1, 4, ""), insert(2, "x")}} {
		if _, err := Apply(body, edits); err == nil {
			t.Errorf("%v was applied", edits)
		}
	}
}

// change parses a page, applies edits for the first node of type T, and returns the new source.
func change[T ast.Node](t *testing.T, src string, edit func([]byte, T) ([]Edit, error)) (string, error) {
	t.Helper()
	root, list := parse([]byte(src), 1)
	if list.HasErrors() {
		t.Fatalf("%q: %v", src, list)
	}
	var out []byte
	err := errors.New("no such node")
	found := false
	ast.Walk(root.Children, func(n ast.Node) bool {
		if v, ok := n.(T); ok && !found {
			found = true
			var edits []Edit
			if edits, err = edit([]byte(src), v); err == nil {
				out, err = Apply([]byte(src), edits)
			}
		}
		return true
	})
	return string(out), err
}

func one(e Edit, err error) ([]Edit, error) { return []Edit{e}, err }

func TestSetAttrReplacesOrAdds(t *testing.T) {
	for src, want := range map[string]string{
		"<A   t='x' />":           `<A   t="n &quot;&amp;amp;" />`,
		"<A b={1}\n  c>\nx\n</A>": "<A b={1}\n  c t=\"n &quot;&amp;amp;\">\nx\n</A>",
		"<A/>":                    `<A t="n &quot;&amp;amp;"/>`,
		"a <A t={1} t>x</A> b":    `a <A t={1} t="n &quot;&amp;amp;">x</A> b`,
		"<A {...t} />":            `<A {...t} t="n &quot;&amp;amp;" />`,
	} {
		got, err := change(t, src,
			func(b []byte, e *ast.Element) ([]Edit, error) { return one(SetAttr(b, e, "t", `n "&amp;`)) })
		if err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", src, got, err, want)
		}
	}
	got, err := change(t, "<A b='1' />",
		func(b []byte, e *ast.Element) ([]Edit, error) { return one(SetAttrExpr(b, e, "b", "[2]")) })
	if err != nil || got != "<A b={[2]} />" {
		t.Errorf("%q %v", got, err)
	}
	got, err = change(t, "<A b='1'\n  c />",
		func(b []byte, e *ast.Element) ([]Edit, error) { return RemoveAttr(b, e, "c") })
	if err != nil || got != "<A b='1' />" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := SetAttr([]byte("text"), &ast.Element{Name: "A"}, "b", "c"); !errors.Is(err, ErrNotThere) {
		t.Errorf("an element without a place: %v", err)
	}
}

func TestRenameChangesBothTags(t *testing.T) {
	for src, want := range map[string]string{
		"<Note>\n  <Note>a</Note>\n</Note>": "<Tip>\n  <Note>a</Note>\n</Tip>", "<Note/>": "<Tip/>",
		"<Note a='>'>b</Note >": "<Tip a='>'>b</Tip >", "x <Note /> y": "x <Tip /> y",
	} {
		got, err := change(t, src, func(b []byte, e *ast.Element) ([]Edit, error) { return Rename(b, e, "Tip") })
		if err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", src, got, err, want)
		}
	}
}

func TestSetLinkURLChangesOnlyTheURL(t *testing.T) {
	set := func(b []byte, n *ast.Link) ([]Edit, error) { return one(SetLinkURL(b, n, "/new")) }
	for src, want := range map[string]string{
		`a [b](/old "t") c`:       `a [b](/new "t") c`,
		`[*b* \](x)](</o ld>)`:    `[*b* \](x)](/new)`,
		`[b](/a(b)c 'x(y')`:       `[b](/new 'x(y')`,
		"[b]( /old\n  (t) )":      "[b]( /new\n  (t) )",
		`[]()`:                    `[](/new)`,
		`see https://x.y/a_b now`: `see [https://x.y/a\_b](/new) now`,
	} {
		got, err := change(t, src, set)
		if err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", src, got, err, want)
		}
	}
	if _, err := change(t, "[b][c]\n\n[c]: /old", set); !errors.Is(err, ErrNotThere) {
		t.Errorf("a reference: %v", err)
	}
	got, err := change(t, `![a](b)](x.png)`,
		func(b []byte, n *ast.Image) ([]Edit, error) { return one(SetLinkURL(b, n, "y (1.png")) })
	if err != nil || got != `![a](<y (1.png>)](x.png)` {
		t.Errorf("%q %v", got, err)
	}
}

func TestSetFieldKeepsOrderCommentsAndLineEnds(t *testing.T) {
	for src, want := range map[string]string{
		"text":           "---\ntitle: New\n---\n\ntext",
		"---\n---\ntext": "---\ntitle: New\n---\ntext",
		"---\n# c\ntitle: Old # why\nicon: x\n---\n":           "---\n# c\ntitle: New # why\nicon: x\n---\n",
		"---\r\n'title': \"a # b\"\r\nicon: x\r\n---\r\nt\r\n": "---\r\ntitle: New\r\nicon: x\r\n---\r\nt\r\n",
		"---\ntitle: >\n  long\n  text\nicon: x\n---\n":        "---\ntitle: New\nicon: x\n---\n",
		"---\ntitles: a\nicon: x # y\n---\n":                   "---\ntitles: a\nicon: x # y\ntitle: New\n---\n",
	} {
		got, err := SetField([]byte(src), "title", "New")
		if err != nil || string(got) != want {
			t.Errorf("%q: %q %v, want %q", src, got, err, want)
		}
	}
	if _, err := SetField([]byte("---\ntitle: [\n---\n"), "title", "x"); err == nil {
		t.Error("broken front matter was changed")
	}
}

func TestSetFieldWritesAnyText(t *testing.T) {
	for _, value := range []string{"a: b", "# x", "yes", "1.0", "\"q\" \\ ", "it's", "a\tb", "-", "[x]", "true story",
		"@x", "ü – 日本", "a #b", "end:", "null"} {
		out, err := SetField([]byte("---\nicon: x\n---\n"), "title", value)
		if err != nil {
			t.Errorf("%q: %v", value, err)
			continue
		}
		got, list := fields(out)
		if len(list) > 0 || got.Title != strings.Join(strings.Fields(value), " ") || got.Icon != "x" {
			t.Errorf("%q was read back as %q from %q (%v)", value, got.Title, out, list)
		}
	}
}

func fields(src []byte) (frontmatter.Fields, diag.List) {
	page, list := frontmatter.Parse("", src)
	return page.Fields, list
}
