package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Identify sets what two jobs have in common that make the same files: organization, domain, published state, version
// label, pages, groups of readers and making, which is everything of the server's own that its output depends on. Pages are a set: neither
// order nor repetition counts. A job whose source is not known before it is fetched stands alone.
func (j Job) Identify(making string) Job {
	j.Identity = ""
	if j.DeploymentID == "" {
		return j
	}
	// JSON of a list is unambiguous, whatever the parts hold.
	parts := []any{making, j.OrganizationID, j.ProjectID, j.Domain, j.DeploymentID, j.Version, nameSet(j.Paths)}
	if len(j.Groups) > 0 { // others keep the identity that earlier releases gave them
		parts = append(parts, nameSet(j.Groups))
	}
	raw, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("export: strings failed to encode: %v", err))
	}
	sum := sha256.Sum256(raw)
	j.Identity = hex.EncodeToString(sum[:])
	return j
}
