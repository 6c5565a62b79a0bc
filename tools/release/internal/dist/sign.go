package dist

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
)

// Sign signs a release that was built without a key: its provenance, in a separate envelope, and its checksums. It
// needs only these two files, so it can run on a machine on which nothing of the release was built or executed. It does
// not check that the release is complete; the check that follows does. A release from changed files is not signed.
func Sign(dir string, key ed25519.PrivateKey) error {
	list, err := os.ReadFile(filepath.Join(dir, SumsFile))
	if err != nil {
		return fmt.Errorf("sign release: %w", err)
	}
	sums, err := attest.ParseSums(string(list))
	if err != nil {
		return fmt.Errorf("sign release: %w", err)
	}
	statements, err := filepath.Glob(filepath.Join(dir, Provenance("*")))
	if err != nil || len(statements) != 1 {
		return errors.New("sign release: expected exactly one provenance statement")
	}
	statement, err := os.ReadFile(statements[0])
	if err != nil {
		return fmt.Errorf("sign release: %w", err)
	}
	name := filepath.Base(statements[0])
	if attest.Of(map[string][]byte{name: statement})[name] != sums[name] {
		return errors.New("sign release: the provenance does not match the checksums")
	}
	about, err := attest.ParseStatement(statement)
	if err != nil {
		return fmt.Errorf("sign release: %w", err)
	}
	if _, err := about.Clean(); err != nil {
		return fmt.Errorf("sign release: %w", err)
	}
	sealed, err := attest.Seal(key, statement)
	if err != nil {
		return err
	}
	to := strings.TrimSuffix(name, ".json") + ".intoto.jsonl"
	sums[to] = attest.Of(map[string][]byte{to: sealed})[to]
	text := []byte(sums.String())
	for file, body := range map[string][]byte{to: sealed, SumsFile: text, SignatureFile: attest.Sign(key, text)} {
		if err := os.WriteFile(filepath.Join(dir, file), body, 0o644); err != nil {
			return fmt.Errorf("sign release: %w", err)
		}
	}
	return nil
}
