package daemon

import (
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func options(data, secret string, previous ...string) Options {
	c := config.Defaults()
	c.Data, c.SecretKey, c.SecretKeyPrevious = data, secret, previous
	return Options{Config: c, Now: time.Now, Rand: rand.Reader, Logger: slog.New(slog.DiscardHandler)}
}

func open(t *testing.T, opt Options) error {
	t.Helper()
	l, err := OpenLedger(t.Context(), opt)
	if err != nil {
		return err
	}
	return l.Close()
}

const (
	one   = "one-one-one-one-one-one-one-one-one"
	two   = "two-two-two-two-two-two-two-two-two"
	three = "three-three-three-three-three-three"
)

func TestSecretKeyCanBeRotated(t *testing.T) {
	data := t.TempDir()
	for i, opt := range []Options{options(data, one), options(data, two, one), options(data, two)} {
		if err := open(t, opt); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	err := open(t, options(data, three))
	if f, ok := fault.As(err); !ok || f.Field != "secret-key" {
		t.Fatalf("a foreign secret key: %v", err)
	}
}

// During a rolling restart, some processes still use the old key while others use the new one.
func TestSecretKeyCanBeRotatedInTwoRounds(t *testing.T) {
	data := t.TempDir()
	first, second := options(data, one, two), options(data, two, one)
	for i, opt := range []Options{options(data, one), first, second, first, second, options(data, two)} {
		if err := open(t, opt); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
}

func TestServerGeneratesAPrivateSecretKey(t *testing.T) {
	data := t.TempDir()
	for range 2 {
		if err := open(t, options(data, "")); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{secretFile, "lectern.db"} {
		info, err := os.Stat(filepath.Join(data, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	if err := os.WriteFile(filepath.Join(data, secretFile), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(t, options(data, "")); err == nil {
		t.Error("a damaged secret key was accepted")
	}
}
