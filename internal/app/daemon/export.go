package daemon

import (
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// exportLimits returns the operator's limits for exports.
func (c *core) exportLimits() export.Limits {
	s := &c.Config
	return export.Limits{
		MaxPages: s.ExportMaxPages, MaxBytes: int64(s.ExportMaxBytes), MaxTime: s.ExportMaxTime,
		MaxRunning: s.ExportMaxRunning, MaxQueued: s.ExportMaxQueued,
		KeepFor: s.ExportKeepFor, MaxStored: int64(s.ExportMaxStoredBytes),
	}
}

// making identifies everything besides the source that affects an export's files. Processes with different values do
// not share bundles.
func (c *core) making() string {
	_, port, _ := net.SplitHostPort(c.Config.Listen) // part of the URLs of sites below localhost
	return strings.Join([]string{"lectern " + c.Version, "build " + c.unreleased(), fmt.Sprintf("offers %+v",
		c.bundleOffers("")), "scripts " + c.Config.Scripts, "port " + port, "signed " + c.signedBy(),
		// some servers may not be permitted to fetch all remote API descriptions
		fmt.Sprintf("fetch %q", c.Config.AllowAddress), fmt.Sprintf("hosts %q", c.Config.ForgeHosts)}, "\n")
}

// signedBy returns the public key for verifying bundles, or "" if they are not signed.
func (c *core) signedBy() string {
	if c.signer == nil {
		return ""
	}
	return hex.EncodeToString(c.signer.Public().(ed25519.PublicKey))
}

// loadSigner reads the key for signing bundles.
func (c *core) loadSigner() error {
	name := c.Config.ExportSigningKey
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err == nil {
		c.signer, err = output.ParseSigner(data)
	}
	if err != nil {
		return fault.Newf(fault.Invalid, "invalid_setting",
			"export.signing-key: %s does not contain a readable Ed25519 private key in PEM.", name).
			WithHint("Create one with: openssl genpkey -algorithm ed25519 -out FILE").WithCause(err)
	}
	return nil
}

// unreleased returns a text that distinguishes development builds of the same version. It is "" for a release.
func (c *core) unreleased() string {
	if c.Version != "devel" && !strings.Contains(c.Version, "dirty") {
		return ""
	}
	info, err := os.Stat(c.SelfExe)
	if err != nil {
		return c.processID // nothing is shared, not even with the next start
	}
	return fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
}
