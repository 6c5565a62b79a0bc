package id_test

import (
	"crypto/rand"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// A8: ids are opaque, unguessable and prefixed by type.
func TestIDsAreTypedAndDistinct(t *testing.T) {
	src := id.Source{Rand: rand.Reader}
	seen := map[string]bool{}
	for range 10_000 {
		got := src.New(id.Export)
		if !id.Has(id.Export, got) || id.Has(id.Project, got) {
			t.Fatalf("%q is not an export id", got)
		}
		if seen[got] {
			t.Fatalf("%q was generated twice", got)
		}
		seen[got] = true
	}
}

func TestMalformedIDsAreRefused(t *testing.T) {
	for _, s := range []string{"", "se_", "se_ABC", "se_" + "a", "dep_aaaaaaaaaaaaaaaaaaaaaaaaaa",
		"se_aaaaaaaaaaaaaaaaaaaaaaaaa!"} {
		if id.Has(id.Export, s) {
			t.Errorf("%q passed as an export id", s)
		}
	}
}
