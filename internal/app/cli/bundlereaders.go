package cli

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/bundlehost"
	"github.com/lectern-docs/lectern/internal/serve/passhash"
)

const hashStart = "$argon2id$"

// readers returns the settings for readers of the bundle. Secrets come only from files: arguments are visible to
// every local user.
func (c *serveBundle) readers(rand io.Reader, now func() time.Time) (out access.Settings, err error) {
	switch {
	case c.PasswordFile != "" && c.ReadersFile != "":
		return out, fault.New(fault.Invalid, "bad_flag", "Use either --password-file or --readers-file.")
	case c.PasswordFile != "":
		return readPassword(c.PasswordFile, rand)
	case c.ReadersFile == "":
		return out, nil
	}
	raw, err := readersFile("--readers-file", c.ReadersFile)
	if err != nil {
		return out, err
	}
	out, err = adminapi.ParseReaderAccess(raw, bundlehost.ProjectID, rand, now)
	if err == nil && !slices.Contains([]access.Mode{access.Password, access.OIDC, access.SAML, access.JWT}, out.Mode) {
		err = fault.Newf(fault.Invalid, "invalid_field", "A bundle's server does not support the mode %s.", out.Mode)
	}
	if err != nil {
		return out, fault.Newf(fault.Invalid, "bad_flag", "--readers-file: %s: %s", c.ReadersFile, fault.Public(err)).
			WithHint("Valid modes are password, oidc, saml and jwt.").WithCause(err)
	}
	return out, nil
}

// readPassword reads a password or its hash.
func readPassword(file string, rand io.Reader) (out access.Settings, err error) {
	raw, err := readersFile("--password-file", file)
	if err != nil {
		return out, err
	}
	out = access.Settings{ProjectID: bundlehost.ProjectID, Mode: access.Password}
	text := strings.TrimRight(string(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))), "\r\n")
	if strings.HasPrefix(text, hashStart) {
		if out.PasswordHash = text; !passhash.Valid(text) {
			err = fault.New(fault.Invalid, "invalid_field", "The file does not contain a valid Argon2id hash.")
		}
	} else if err = account.CheckPassword(text, ""); err == nil {
		out.PasswordHash = passhash.Cost{}.Hash(rand, text)
	}
	if err != nil {
		return out, fault.Newf(fault.Invalid, "bad_flag", "--password-file: %s: %s", file, fault.Public(err)).WithCause(err)
	}
	return out, nil
}

func readersFile(flag, name string) ([]byte, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fault.Newf(fault.Invalid, "bad_flag", "%s: %s cannot be read.", flag, name).WithCause(err)
	}
	return raw, nil
}
