package load

import (
	"context"
	"slices"
	"testing"
	"testing/fstest"
)

func TestSourcesListsPagesAndSnippetsUnlessIgnored(t *testing.T) {
	src := fstest.MapFS{}
	for _, name := range []string{"b.mdx", "a.md", "snippets/s.mdx", "drafts/d.mdx", "README.md", ".hidden/h.mdx",
		"node_modules/n.md", "image.png", "sub/C.MDX"} {
		src[name] = &fstest.MapFile{Data: []byte("x")}
	}
	src[".mintignore"] = &fstest.MapFile{Data: []byte("drafts/\n")}
	got, err := Sources(t.Context(), src)
	if want := []string{"a.md", "b.mdx", "snippets/s.mdx", "sub/C.MDX"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Sources(stopped, src); err == nil {
		t.Error("a cancelled walk returned no error")
	}
}
