package sitebuild

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// C8, J8: a page that keeps the renderer busy does not keep a build from ending when it is called off.
func TestASlowPageDoesNotHoldUpACanceledBuild(t *testing.T) {
	src := fstest.MapFS{
		"index.mdx": {Data: []byte("# Home\n")},
		"slow.mdx":  {Data: []byte("# Slow\n\n" + strings.Repeat("*a_ ", 20_000))}, // seconds for a renderer that looks back at every mark
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := Build(ctx, src, Options{Workers: 2, Progress: func(p Progress) {
		if p.Done == 1 {
			cancel()
		}
	}}, &memory{})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("err %v", err)
	}
}
