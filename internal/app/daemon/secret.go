package daemon

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Secrets are the master keys: the current one, and earlier ones that are still accepted during a rotation.
type Secrets struct {
	Current  []byte
	Previous [][]byte
}

const secretFile = "secret.key"

// loadSecrets returns the configured secret key, or the one in the data folder, which is created on first start.
func loadSecrets(opt Options) (Secrets, error) {
	var s Secrets
	for _, p := range opt.Config.SecretKeyPrevious {
		s.Previous = append(s.Previous, []byte(p))
	}
	if opt.Config.SecretKey != "" {
		s.Current = []byte(opt.Config.SecretKey)
		return s, nil
	}
	name := filepath.Join(opt.Config.Data, secretFile)
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		raw, err = makeSecret(name, opt.Rand)
	}
	if err != nil {
		return s, fmt.Errorf("read secret key: %w", err)
	}
	s.Current = []byte(strings.TrimSpace(string(raw)))
	if len(s.Current) < 32 {
		return s, fault.Newf(fault.Invalid, "bad_setting", "secret-key: the file %s does not contain a secret key.",
			name).
			WithField("secret-key").
			WithHint(
				"Restore it from a copy, or set another file with secret-key-file. Without the key, existing API keys do not work.")
	}
	return s, nil
}

// makeSecret creates a new secret. If two processes start at once, one creates it and both read it.
func makeSecret(name string, rand io.Reader) ([]byte, error) {
	raw := make([]byte, 32)
	if _, err := io.ReadFull(rand, raw); err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), secretFile+"-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(hex.EncodeToString(raw) + "\n")
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(temp.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	// from now on it encrypts data, which would be lost without it
	if err := durable.Sync(filepath.Dir(name)); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// checkSecret returns an error if the database was created with another secret key: otherwise every API key would be
// unknown and every link invalid for no visible reason.
func (l *Ledger) checkSecret(ctx context.Context) error {
	return l.Store.Tx(ctx, func(t *store.Tx) error {
		current := fingerprint(l.Secrets.Current)
		held, err := t.ClaimSetting(ctx, secretCheck, current)
		if err != nil || held == current {
			return err
		}
		for _, s := range l.Secrets.Previous {
			if held == fingerprint(s) { // the key was rotated: from now on the database uses the new one
				return t.SetSetting(ctx, secretCheck, current)
			}
		}
		return otherSecret()
	})
}

// secretCheck is the setting with the fingerprint of the current secret key.
const secretCheck = "secret_check"

func otherSecret() error {
	return fault.New(fault.Invalid, "bad_setting", "secret-key: this database was created with another secret key.").
		WithField("secret-key").
		WithHint(
			"Servers that share a database must use the same secret key: set LECTERN_SECRET_KEY or secret-key-file. After a change, add the earlier key to secret-key-previous.")
}

func fingerprint(secret []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("lectern secret check"))
	return hex.EncodeToString(mac.Sum(nil))
}
