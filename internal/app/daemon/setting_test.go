package daemon

import (
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// K9: if a start fails because a database or bucket is unavailable, the error names the setting but never a password.
func TestStartupFailureNamesTheSetting(t *testing.T) {
	for setting, change := range map[string]func(*config.Server){
		"database": func(s *config.Server) {
			s.Database = "postgres://u:hunter2@127.0.0.1:1/x?sslmode=disable&connect_timeout=2"
		},
		"blob": func(s *config.Server) { s.Blob = "s3://bucket?endpoint=http%3A%2F%2F127.0.0.1%3A1" },
	} {
		c := config.Defaults()
		c.Data = t.TempDir()
		change(&c)
		core, err := openCore(t.Context(), Options{Config: c, Now: time.Now, Rand: rand.Reader,
			Logger: slog.New(slog.DiscardHandler)}, func() string { return "" })
		if f, ok := fault.As(err); !ok || f.Field != setting || !strings.HasPrefix(f.Public, setting+": ") ||
			strings.Contains(err.Error()+f.Public, "hunter2") {
			t.Errorf("%s: %+v %v", setting, core != nil, err)
		}
	}
}

func TestUnusableScannerKeysPreventStartup(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(bad, []byte(`{"public_keys":[{"key_identifier":"a","key":"x"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{bad, bad + ".missing"} {
		if _, err := leakKeys(file); !fault.HasCode(err, "bad_setting") ||
			!strings.Contains(err.Error(), "leaked-keys.public-keys-file") {
			t.Errorf("%s: %v", file, err)
		}
	}
	if keys, err := leakKeys(""); err != nil || len(keys) != 0 {
		t.Errorf("without a file: %v %v", keys, err)
	}
}
