package store

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// visited returns an embedded store with a project whose site a reader visited today.
func visited(t *testing.T, now func() time.Time) (s *Store, projectID string) {
	t.Helper()
	s, err := Open(t.Context(),
		Options{URL: filepath.Join(t.TempDir(), "l.db"), Now: now, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = s.Tx(t.Context(), func(tx *Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "o", account.PlanPro)
		if err != nil {
			return err
		}
		p, err := tx.CreateProject(t.Context(),
			project.Project{OrganizationID: o.ID, Name: "p", Source: project.Source{Path: "/x"}})
		projectID = p.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen(t, s, projectID, 1)
	return s, projectID
}

// seen counts a page view by one reader.
func seen(t *testing.T, s *Store, projectID string, who byte) {
	t.Helper()
	b := audience.NewBatch(100, nil)
	b.Add(audience.Event{ProjectID: projectID, At: s.now(), Kind: audience.View, Class: audience.Human, Path: "/",
		Visitor: [8]byte{who}})
	if err := s.AddAudience(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

// D7: a copy for a backup contains nothing about the day's readers, not even in SQLite's free pages.
func TestSnapshotContainsNoReaderData(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	s, p := visited(t, func() time.Time { return at })
	salt := []byte("a value of the day, 32 bytes long")
	if _, err := s.FindSalt(t.Context(), audience.DayOf(at), salt); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddFeedback(t.Context(),
		audience.Feedback{ProjectID: p, Path: "/", Source: audience.ByComment, Comment: "kept", Mark: 5}); err != nil {
		t.Fatal(err)
	}
	if err := s.Tx(t.Context(), func(tx *Tx) error {
		_, err := tx.CreateReaderSession(t.Context(), access.Session{Hash: "reader", ProjectID: p, Subject: "reads-this"},
			access.DefaultSessionCap())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Snapshot(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(file)
	if err != nil || bytes.Contains(raw, []byte(hex.EncodeToString(salt))) || bytes.Contains(raw, []byte("reads-this")) ||
		!bytes.Contains(raw, []byte("kept")) {
		t.Errorf("the copy has the salt, or lacks the rest: %v", err)
	}
	c, err := Open(t.Context(), Options{URL: file, Now: s.now, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	n, err := single(t.Context(), c.q, value[int64],
		`SELECT (SELECT COUNT(*) FROM audience_marks) + (SELECT COUNT(*) FROM audience_salts) + (SELECT COUNT(*) FROM feedback WHERE mark <> 0)`)
	if err != nil || n != 0 {
		t.Errorf("%d rows identify readers: %v", n, err)
	}
	if n, err = single(t.Context(), s.q, value[int64], `SELECT COUNT(*) FROM audience_marks`); err != nil || n != 2 {
		t.Errorf("the database itself has %d marks: %v", n, err)
	}
}

// When the limit on visitors per day is reached, only views are counted, so that made-up requests cannot fill the disk.
func TestVisitorsPerDayAreLimited(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	s, p := visited(t, func() time.Time { return at })
	if err := s.Tx(t.Context(), func(tx *Tx) error {
		_, err := tx.q.exec(t.Context(), `UPDATE audience_days SET marks = $1`, maxMarks-1)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for who := range byte(4) {
		seen(t, s, p, who+2)
	}
	days, err := s.ListDays(t.Context(), p, audience.Span{To: 1 << 20})
	if err != nil || len(days) != 1 || days[0].Views[0] != 5 || days[0].Visitors[0] != 2 {
		t.Errorf("%+v %v", days, err)
	}
	if n, err := single(t.Context(), s.q, value[int64], `SELECT COUNT(*) FROM audience_marks`); err != nil || n != 3 {
		t.Errorf("%d marks: %v", n, err)
	}
}
