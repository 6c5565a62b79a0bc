package adminapi_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

// home names a tenant and its plan.
type home struct {
	name string
	plan account.Plan
}

// seed is a database with tenants.
type seed struct {
	database []byte
	tenants  []tenant
}

// seeds has one seed for each list of homes. Creating a tenant takes longer than most tests, so it is done only once.
var seeds struct {
	sync.Mutex
	of map[string]seed
}

func seeded(t testing.TB, homes []home) seed {
	t.Helper()
	seeds.Lock()
	defer seeds.Unlock()
	key := fmt.Sprint(homes)
	if s, ok := seeds.of[key]; ok {
		return s
	}
	w := newWorld(t, nil)
	var s seed
	for _, h := range homes {
		s.tenants = append(s.tenants, w.newTenant(t, h.name, h.plan))
	}
	must(t, w.store.Close()) // merges the log into the file
	var err error
	s.database, err = os.ReadFile(w.dbFile)
	must(t, err)
	if seeds.of == nil {
		seeds.of = map[string]seed{}
	}
	seeds.of[key] = s
	return s
}

// newWorldWith is like newWorld, with tenants.
func newWorldWith(t testing.TB, change func(*adminapi.Options), homes ...home) (*world, []tenant) {
	t.Helper()
	s := seeded(t, homes)
	file := filepath.Join(t.TempDir(), "ledger.db")
	must(t, os.WriteFile(file, s.database, 0o600))
	w, tenants := newWorldOn(t, file, change), slices.Clone(s.tenants)
	for i := range tenants {
		x := &tenants[i]
		x.members = maps.Clone(x.members)
		// Restore what is not in the database.
		w.allowProof(x.org.ID, x.folder.Domains[1])
		for _, b := range x.done.Bundles {
			_, err := w.blob.Put(t.Context(), b.Key, strings.NewReader(bundleBytes))
			must(t, err)
		}
	}
	return w, tenants
}

// newWorldOf is like newWorld, with the tenant a.
func newWorldOf(t testing.TB, plan account.Plan, change func(*adminapi.Options)) (*world, tenant) {
	t.Helper()
	w, tenants := newWorldWith(t, change, home{"a", plan})
	return w, tenants[0]
}
