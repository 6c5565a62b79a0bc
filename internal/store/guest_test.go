package store_test

import (
	"strconv"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

// Adding the first guest locks out programs that do not know the schema for guests, and no other programs.
func TestFirstGuestRaisesMinimumProgramSchema(t *testing.T) {
	t.Parallel()
	s := open(t, sqliteFile(t))
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := s.Tx(t.Context(), func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "o", account.PlanFree)
		if err == nil {
			_, err = tx.AddMember(t.Context(), o.ID, "guest@example.com", account.RoleGuest)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := strconv.FormatInt(schemaOf(t, "project_roles"), 10)
	if held, err := s.FindSetting(t.Context(), "oldest_program"); err != nil || held != want {
		t.Errorf("the oldest program is %q, want %s (error %v)", held, want, err)
	}
}
