package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Identify sets the job's identity, which is equal for jobs that produce the same files. It covers the organization,
// the domain, the published state, the version label, the pages, the reader groups, and making. making must identify
// everything about the server itself that affects the output. The order of pages and duplicates do not matter. A job
// whose source is unknown before it is fetched has no identity.
func (j Job) Identify(making string) Job {
	j.Identity = ""
	if j.DeploymentID == "" {
		return j
	}
	// A list encoded as JSON is unambiguous, no matter what the parts contain.
	parts := []any{making, j.OrganizationID, j.ProjectID, j.Domain, j.DeploymentID, j.Version, nameSet(j.Paths)}
	if len(j.Groups) > 0 { // without groups, the identity equals that of earlier releases
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
