package bundlestore

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"log/slog"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// A key determines whom to trust, not which version to serve: servers with a key and an old link follow the pointer
// like servers without a key.
func TestOldLinkWithKeyServesNewerBundle(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signed := func(version string) FromFile {
		site := siteOf(version).sealed(version)
		site[output.SignaturePath] = base64.StdEncoding.EncodeToString(ed25519.Sign(private,
			[]byte(site[output.ManifestPath]))) + "\n"
		return given(t, site.tarGz(t))
	}
	one, two, dir := signed("v1"), signed("v2"), t.TempDir()
	for i, c := range []struct {
		src  FromFile
		want string
	}{{one, "v1"}, {two, "v2"}, {one, "v2"}, {two, "v2"}} {
		if got := servedBy(t, dir, c.src, Expect{PublicKey: public}); got != c.want {
			t.Errorf("start %d serves %q, want %q", i, got, c.want)
		}
	}
}

// servedBy returns the version that a server serves once its first fetch has ended.
func servedBy(t *testing.T, dir string, src Source, want Expect) string {
	t.Helper()
	v, err := Open(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	v.Shared = true
	k := NewKeeper(Keeping{Volume: v, Source: func() (Source, error) { return src, nil }, Expect: want,
		Show: func(v *Version) { t.Cleanup(func() { _ = v.Close() }) }, Logger: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- k.Run(ctx) }()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !k.Ready() {
		select {
		case <-tick.C:
		case err := <-ended:
			t.Fatalf("Run ended: %v", err)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	r, _ := k.Shown()
	return r.Version
}
