package daemon

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestRefusedBackupSuggestsOtherTools(t *testing.T) {
	const postgres, s3 = "postgres://db.example.com/lectern", "s3://bucket"
	for name, c := range map[string]struct {
		database, blob string
		says           []string // texts of the error, in this order; nil = no error
		silent         []string
	}{
		"PostgreSQL and S3":       {postgres, s3, []string{"pg_dump", "the bucket"}, []string{"sqlite3", "blobs"}},
		"SQLite and S3":           {"", s3, []string{"sqlite3 /data/lectern.db", "the bucket"}, []string{"pg_dump"}},
		"PostgreSQL and the disk": {postgres, "", []string{"pg_dump", "/data/blobs"}, []string{"sqlite3", "bucket"}},
		"everything on the disk":  {"", "", nil, nil},
	} {
		err := embedded(Options{Config: config.Server{Data: "/data", Database: c.database, Blob: c.blob}})
		if (err != nil) != (c.says != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			continue
		}
		refused, ok := fault.As(err)
		if !ok || refused.Code != "not_embedded" {
			t.Fatalf("%s: %v", name, err)
		}
		rest := refused.Hint
		for _, word := range c.says {
			_, after, found := strings.Cut(rest, word)
			if rest = after; !found {
				t.Errorf("%s: %q is missing or in the wrong order: %s", name, word, refused.Hint)
			}
		}
		for _, word := range c.silent {
			if strings.Contains(refused.Hint, word) {
				t.Errorf("%s: it mentions %s: %s", name, word, refused.Hint)
			}
		}
	}
}
