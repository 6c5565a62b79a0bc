//go:build nightly

package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// D3: the guide's commands for PostgreSQL and S3, run verbatim, create a second cluster with the same pages and
// bundles.
func TestClusterBackupFromGuideCanBeRestored(t *testing.T) {
	t.Parallel()
	url, newURL := database.Database(t), database.Database(t)
	env := append(sharedSettings(t, url), "LECTERN_LISTEN="+freeAddress(t))
	p := serve(t, t.TempDir(), env)
	p.Await("the first key", func() bool { return keyShape.MatchString(p.Output()) })
	key := keyShape.FindString(p.Output())
	hosts := []string{"docs.localhost", "calm.localhost"}
	publishFolder(t, p.client(key), site(t, 10), "calm.localhost")
	p.Await("our own docs", func() bool { code, _ := page(t, p, "docs.localhost", "/"); return code == http.StatusOK })
	jobs := []string{exportBundle(t, p.client(key), "calm.localhost")}
	before := readState(t, p, key, hosts, jobs, "", "")
	busy := keepPublishing(t, p.client(key), "busy.localhost")

	copied, fresh := objects.Bucket(t), objects.Bucket(t)
	live := strings.TrimPrefix(strings.SplitN(env[1], "?", 2)[0], "LECTERN_BLOB=s3://")
	newBlob := "s3://" + fresh + "?" + strings.SplitN(env[1], "?", 2)[1]
	script := documented(t, "backup.mdx")
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"NEW_DATABASE=" + newURL, "NEW_BLOB=" + newBlob,
		"BUCKET=" + live, "COPY=" + copied, "NEW_BUCKET=" + fresh, "LECTERN_METRICS_LISTEN=off",
		"RCLONE_S3_NO_CHECK_BUCKET=true"}, env...)
	for _, remote := range []string{"LIVE", "COPY", "NEW"} {
		at := "RCLONE_CONFIG_" + remote + "_"
		cmd.Env = append(cmd.Env, at+"TYPE=s3", at+"PROVIDER=Other", at+"ENDPOINT="+objects.Endpoint,
			at+"REGION="+objects.Region,
			at+"ACCESS_KEY_ID="+objects.AccessKey, at+"SECRET_ACCESS_KEY="+objects.SecretKey)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s\nof\n%s", err, out, script)
	}
	busy.stop()
	if !strings.Contains(string(out), "objects that the database refers to are in the bucket") {
		t.Errorf("doctor reports:\n%s", out)
	}
	// No workers: the dump may contain a running update, and a worker that resumes it would change the busy site while
	// its pages are compared.
	again := serve(t, t.TempDir(),
		append(env[2:len(env)-1:len(env)-1], "LECTERN_DATABASE="+newURL, "LECTERN_BLOB="+newBlob), "--workers=-1")
	before.compare(t, readState(t, again, key, hosts, jobs, "", ""))
	busy.checkOneVersion(t, again)
	if check, err := again.client(key).CheckEvents(background()); err != nil || !check.Intact {
		t.Errorf("the audit trail: %+v %v", check, err)
	}
}
