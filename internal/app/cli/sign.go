package cli

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"os"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// signFlag contains the flag for signing an export.
type signFlag struct {
	Sign string `placeholder:"FILE" help:"File with an Ed25519 private key in PEM. It signs manifest.json; the signature is in manifest.sig."`
}

// signer reads the key. It returns nil without --sign.
func (f signFlag) signer() (ed25519.PrivateKey, error) {
	if f.Sign == "" {
		return nil, nil
	}
	file, err := os.Open(f.Sign)
	if err != nil {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "The key file %s cannot be opened.", f.Sign).
			WithField("sign").WithCause(err)
	}
	defer func() { _ = file.Close() }() // read only
	data, err := io.ReadAll(io.LimitReader(file, maxKeyFile))
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	key, err := output.ParseSigner(data)
	if err != nil {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "%s does not contain an Ed25519 private key in PEM.",
			f.Sign).WithField("sign").
			WithHint("Create one with: openssl genpkey -algorithm ed25519 -out FILE").WithCause(err)
	}
	return key, nil
}
