package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/s3"
)

// J8: a request to the server cancels a job that runs in another process. Its worker stops, the job names who cancelled
// it, and none of its data remains in the object store or the worker's folder. The next start creates a new job.
func TestCancelStopsJobInAnotherProcess(t *testing.T) {
	t.Parallel()
	bucket, folder := objects.Bucket(t), t.TempDir()
	env := []string{
		"LECTERN_DATABASE=" + database.Database(t),
		"LECTERN_BLOB=s3://" + bucket + "/sites?region=" + objects.Region + "&path-style=true&endpoint=" +
			objects.Endpoint,
		"LECTERN_S3_ACCESS_KEY=" + objects.AccessKey, "LECTERN_S3_SECRET_KEY=" + objects.SecretKey,
		"LECTERN_SECRET_KEY=0123456789abcdef0123456789abcdef", oneProcessor,
	}
	server := serve(t, t.TempDir(), env, "--first-site", "off", "--workers=-1")
	c := server.client(command(t, env, "keys", "create", "--data", t.TempDir(), "--label", "nightly"))
	w := spawn(t, env, "worker", "--data", folder, "--workers", "1")
	w.Await("start", func() bool { return strings.Contains(w.Output(), "worker started") })
	publishFolder(t, c, site(t, manyPages), "big.localhost")

	jobID := startUntilRunning(t, server, c, "big.localhost")
	if _, err := c.CancelExport(background(), jobID); err != nil {
		t.Fatal(err)
	}
	job, err := c.WaitExport(background(), jobID, nil)
	var failed *client.FailedError
	if !errors.As(err, &failed) || failed.Reason != "The export was canceled by the key “nightly”." ||
		*job.ErrorCode != "export_canceled" || job.Progress >= 100 {
		t.Fatalf("%+v %v", job, err)
	}
	bin, err := s3.Open(background(), s3.Options{Endpoint: objects.Endpoint, Region: objects.Region, Bucket: bucket,
		Prefix: "sites", PathStyle: true, AccessKey: objects.AccessKey, SecretKey: objects.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	if err := bin.List(background(), "exports/",
		func(i blob.Info) error { t.Errorf("left in the object store: %s", i.Key); return nil }); err != nil {
		t.Fatal(err)
	}
	for _, name := range files(t, folder+"/work") {
		if strings.Contains(name, "export-") || strings.Contains(name, "build-") {
			t.Errorf("left in the work folder: %s", name)
		}
	}
	again, err := c.StartExport(background(), client.StartExport{Domain: "big.localhost"})
	if err != nil || again.JobID == jobID || again.Joined {
		t.Errorf("%+v %v", again, err)
	}
}
