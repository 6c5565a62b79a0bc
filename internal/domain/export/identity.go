package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Identify sets what two jobs have in common that make the same files: organization, domain, published state, version
// label, pages and making, which is everything of the server's own that its output depends on. Pages are a set: neither
// order nor repetition counts. A job whose source is not known before it is fetched stands alone.
func (j Job) Identify(making string) Job {
	j.Identity = ""
	if j.DeploymentID == "" {
		return j
	}
	// JSON of a fixed list is unambiguous, whatever the parts hold.
	raw, err := json.Marshal([]any{making, j.OrganizationID, j.ProjectID, j.Domain, j.DeploymentID, j.Version,
		nameSet(j.Paths)})
	if err != nil {
		panic(fmt.Sprintf("export: strings failed to encode: %v", err))
	}
	sum := sha256.Sum256(raw)
	j.Identity = hex.EncodeToString(sum[:])
	return j
}
