package judges

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// A third-party SCIM implementation calls a running server: it parses every response with its own schemas, and its
// filters and PATCH operations have the same results as ours.
func TestSCIMWorksWithThirdPartyLibrary(t *testing.T) {
	t.Parallel()
	note := judged(t, "SCIM", npmVersion(t, "scimmy"))
	s := serve(t, "--first-site", "off")
	cmd := nodeCommand(t, "scim.mjs", s.url+"/scim/v2")
	cmd.Env = append(cmd.Env, "SCIM_KEY="+s.key)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var n struct{ Resources, Lists, Errors, Filters, Patches, Attributes int }
	if err := json.Unmarshal(out, &n); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n.Resources < 50 || n.Lists < 12 || n.Errors < 6 || n.Filters != 10 || n.Patches != 12 || n.Attributes < 20 {
		t.Errorf("it checked only %+v", n)
	}
	*note = fmt.Sprintf("%d resources, %d errors, %d filters, %d patches", n.Resources, n.Errors, n.Filters, n.Patches)
}
