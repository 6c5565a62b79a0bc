package dashboard_test

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
)

// D8: the script in the guide, run outside the server on a dashboard export, accepts an intact log and lists modified
// events.
func TestScriptInTheGuideVerifiesAnExport(t *testing.T) {
	r := newRig(t)
	for i, name := range []string{"a <b> & c", "\u2028 line \u2029 paragraph", `"quoted" \ back`, "ünïcödé 🎉",
		"\U0010ffff \ufffd", "plain"} {
		r.rename("owner", name)
		r.clock.Advance(time.Duration(i) * 100 * time.Microsecond) // fractions of seconds with different numbers of digits
	}
	r.post("admin", keys, keyForm(nil))
	r.post("admin", keys+"/"+r.newestKey().ID+"/revoke", nil) // has no data
	r.post("owner", r.at("viewer", "role"), url.Values{"role": {"admin"}})
	r.clock.Advance(time.Second - time.Duration(r.clock.Now().Nanosecond()))
	r.rename("owner", "on the second")
	all := r.records(r.a.org.ID)
	newest := all[len(all)-1].Hash
	byMember := 1 + slices.IndexFunc(all, func(e event.Event) bool { return strings.HasPrefix(e.Actor, "mem_") })
	_, log := r.get("owner", audit+"/export?format=ndjson")
	lines := strings.SplitAfter(log, "\n")

	guide, err := os.ReadFile("../../docs/guides/audit-log.mdx")
	must(t, err)
	_, script, _ := strings.Cut(string(guide), "```python verify.py\n")
	script, _, found := strings.Cut(script, "\n```")
	if !found {
		t.Fatal("the guide has no script")
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "verify.py"), []byte(script), 0o600))
	for name, c := range map[string]struct {
		log  string
		kept []string
		ok   bool
		says string
	}{
		"whole": {log, nil, true,
			fmt.Sprintf("%d events, none modified. The newest has the hash %s", len(all), newest)},
		"kept hashes": {log, []string{all[0].Hash, newest}, true, "none modified"},
		"empty":       {"", nil, true, "0 events, none modified"},
		"end cut off": {strings.Join(lines[:len(lines)-2], ""), []string{newest}, false,
			"The log does not contain the hash " + newest},
		"first missing":  {strings.Join(lines[1:], ""), nil, false, "Event 1 is missing."},
		"middle missing": {lines[0] + strings.Join(lines[2:], ""), nil, false, "Event 2 is missing."},
		"actor changed": {strings.Replace(log, `"actor":"mem_`, `"actor":"mem_x`, 1), nil, false,
			fmt.Sprintf("Event %d was modified.", byMember)},
		"data changed": {strings.Replace(log, `"after":"plain"`, `"after":"plane"`, 1), nil, false, "was modified."},
		"time changed": {strings.Replace(log, `05:06:07.1234`, `05:06:07.1235`, 1), nil, false,
			"Event 1 was modified."},
		"another's chain": {strings.Replace(log, r.a.org.ID, r.b.org.ID, 1), nil, false, "was modified."},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "events.ndjson")
			must(t, os.WriteFile(file, []byte(c.log), 0o600))
			out, err := exec.CommandContext(t.Context(), "python3",
				append([]string{filepath.Join(dir, "verify.py"), file}, c.kept...)...).CombinedOutput()
			if (err == nil) != c.ok || !strings.Contains(string(out), c.says) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
