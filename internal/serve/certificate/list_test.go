package certificate

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
)

func TestCertificatesInFilesAreListed(t *testing.T) {
	dir := t.TempDir()
	p := Pair{Certificate: filepath.Join(dir, "a.crt"), Key: filepath.Join(dir, "a.key")}
	writePair(t, p, "docs.example.com")
	list, err := ReadHeld([]string{p.Certificate})
	if err != nil || len(list) != 1 || list[0].Host != "docs.example.com" || time.Until(list[0].End) > time.Hour {
		t.Errorf("%+v (error %v)", list, err)
	}
	if _, err := ReadHeld([]string{p.Key}); err == nil {
		t.Error("a key was read as a certificate")
	}
	if _, err := ReadHeld([]string{filepath.Join(dir, "none")}); err == nil {
		t.Error("a missing file was read")
	}
}

// If several authorities issued certificates for a host, the one that expires last is listed; those that cannot be
// decrypted are not listed.
func TestStoredCertificatesAreListed(t *testing.T) {
	st, err := store.Open(t.Context(), store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")),
		Now: time.Now, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	masters := [][]byte{bytes.Repeat([]byte("m"), 32)}
	if list, err := ListStored(t.Context(), st, masters); err != nil || len(list) != 0 {
		t.Errorf("without certificates: %+v (error %v)", list, err)
	}
	s := newStorage(st, masters, rand.Reader)
	put := func(s *storage, name, host string) {
		t.Helper()
		dir := t.TempDir()
		p := Pair{Certificate: filepath.Join(dir, "a.crt"), Key: filepath.Join(dir, "a.key")}
		writePair(t, p, host)
		raw, err := os.ReadFile(p.Certificate)
		if err == nil {
			err = s.Store(t.Context(), name, raw)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(s, "certificates/ca/a.example.com/a.example.com.crt", "a.example.com")
	put(s, "certificates/other/a.example.com/a.example.com.crt", "a.example.com")
	put(s, "certificates/ca/b.example.com/b.example.com.crt", "b.example.com")
	put(newStorage(st, [][]byte{bytes.Repeat([]byte("x"), 32)}, rand.Reader), "certificates/ca/c.example.com/c.example.com.crt",
		"c.example.com")
	if err := s.Store(t.Context(), "certificates/ca/a.example.com/a.example.com.json", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	list, err := ListStored(t.Context(), st, masters)
	if err != nil || len(list) != 2 || list[0].Host != "a.example.com" || list[1].Host != "b.example.com" {
		t.Errorf("%+v (error %v)", list, err)
	}
}
