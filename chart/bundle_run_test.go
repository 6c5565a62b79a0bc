package chart

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store/blob"
	blobs "github.com/lectern-docs/lectern/internal/store/blob/s3"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/s3"
)

// bundleBucket is a bucket with bundles.
type bundleBucket struct {
	t      *testing.T
	server *s3.Server
	store  *blobs.Store
	bucket string
}

func newBundleBucket(t *testing.T, server *s3.Server) *bundleBucket {
	t.Helper()
	s := &bundleBucket{t: t, server: server, bucket: server.Bucket(t)}
	store, err := blobs.Open(context.Background(),
		blobs.Options{Endpoint: server.Endpoint, Region: server.Region, Bucket: s.bucket, PathStyle: true,
			AccessKey: server.AccessKey, SecretKey: server.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	s.store = store
	return s
}

// writeSite writes a docs folder whose first page contains the sentence.
func writeSite(t *testing.T, sentence string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"docs.json":        `{"name":"Handbook","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index","guides/start"]}}`,
		"index.mdx":        "---\ntitle: Home\n---\n\n" + sentence + "\n",
		"guides/start.mdx": "---\ntitle: Start\n---\n\nBack to [home](/index).\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// put exports a site with a label, uploads the bundle and returns a real presigned link to it.
func (s *bundleBucket) put(sentence, label string, life time.Duration, more ...string) blob.Link {
	s.t.Helper()
	key := "bundles/" + label + "-" + strings.ToLower(rand.Text()) + ".tar.gz"
	s.fill(key, sentence, label, more...)
	link, err := s.store.Link(context.Background(), key, "", life)
	if err != nil {
		s.t.Fatal(err)
	}
	return link
}

// fill uploads the bundle of a site under a key.
func (s *bundleBucket) fill(key, sentence, label string, more ...string) {
	s.t.Helper()
	out := filepath.Join(s.t.TempDir(), "site.tar.gz")
	args := append([]string{"export", writeSite(s.t, sentence), "--out", out, "--label", label, "--no-cache"}, more...)
	if text, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
		s.t.Fatalf("export: %v\n%s", err, text)
	}
	f, err := os.Open(out)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // read only
	if _, err := s.store.Put(context.Background(), key, f); err != nil {
		s.t.Fatal(err)
	}
}

// static renders the chart with the three values of the specification, as on OpenShift.
func static(t *testing.T, link blob.Link, version string, more ...string) []object {
	t.Helper()
	return rendering{
		set: append([]string{"staticExport.enabled=true", "staticExport.shutdown.delaySeconds=0",
			"security.openshift=on"}, more...),
		texts: []string{"staticExport.bundleUrl=" + link.URL, "staticExport.version=" + version},
	}.objects(t)
}

// H1, H2, H9, H10, B14: the chart's pod runs as real processes, with a presigned link from a real S3 server.
func TestBundlePodSurvivesExpiryOutageAndUpgrade(t *testing.T) {
	t.Parallel()
	server, err := s3.Start(context.Background()) // a separate server, because the test stops it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	s, n := newBundleBucket(t, server), newNode(t)

	first := s.put("The first edition.", "v1", 30*time.Second)
	pod := n.start(static(t, first, "v1"), "docs").ready()
	pod.runsAs(cmp.Or(n.uid, os.Geteuid()))
	pod.shows("/", "The first edition.")
	pod.shows("/guides/start", "Back to")
	pod.kill()

	// The link has expired when the pod restarts.
	<-time.After(time.Until(first.ExpiresAt.Add(time.Second))) // the server's clock is the real one
	if status, _ := get(first.URL, ""); status != http.StatusForbidden {
		t.Fatalf("the link still works: %d", status)
	}
	pod = n.start(static(t, first, "v1"), "docs").ready()
	pod.shows("/", "The first edition.")
	pod.stop()

	// helm upgrade with a fresh link and the next version.
	pod = n.start(static(t, s.put("The second edition.", "v2", time.Hour), "v2"), "docs").ready()
	pod.shows("/", "The second edition.")
	pod.stop()

	// If the bundle behind the link does not have the pinned version, the pod stays unready, so that helm upgrade
	// --wait fails. After helm rollback, the pod serves without a working link.
	wrong := s.put("Not what was asked for.", "v9", time.Hour)
	pod = n.start(static(t, wrong, "v3"), "docs")
	pod.waits(`version "v3" is required`, `"v2"`, `it has the version "v9"`)
	pod.kill()

	// Without a network, only the pinned bundle is served from the volume.
	server.Stop()
	pod = n.start(static(t, wrong, "v3"), "docs")
	pod.waits(`version "v3" is required`, `"v2"`)
	pod.kill()
	pod = n.start(static(t, wrong, "v2"), "docs").ready()
	pod.shows("/", "The second edition.")
	pod.kill()

	// The previous version is kept, and a pin to it needs no working link.
	pod = n.start(static(t, first, "v1"), "docs").ready()
	pod.shows("/", "The first edition.")
}

// H10: without a stored bundle, a pod whose bundle is rejected never becomes ready, and a rolling update stops.
func TestPodWithoutBundleIsNeverReady(t *testing.T) {
	t.Parallel()
	s := newBundleBucket(t, objects)
	other, dead := s.put("Another.", "v9", time.Hour), s.put("Old.", "v1", time.Second)
	<-time.After(time.Until(dead.ExpiresAt.Add(time.Second)))
	volatile := "staticExport.persistence.enabled=false"
	newNode(t).start(static(t, other, "v1", volatile), "docs").
		waits(`version "v1" is required`, "stored: nothing", `it has the version "v9"`)
	newNode(t).start(static(t, dead, "v1", volatile), "docs").
		waits(`version "v1" is required`, "stored: nothing", "status 403")
	pod := newNode(t).start(static(t, dead, "", volatile), "docs")
	if pod.end(); pod.err == nil {
		t.Error("without a pin, the process exited successfully")
	}
}

// H7: the link is in the operator's Secret and can be replaced while the pod runs, without reinstallation or restart.
// Bundles must be signed, and are served below a path.
func TestRunningPodReadsNewLinkFromSecret(t *testing.T) {
	t.Parallel()
	s, n := newBundleBucket(t, objects), newNode(t)
	public, private := keyPair(t)
	values := rendering{files: []string{"static-secret"}, set: []string{"staticExport.pollInterval=1s",
		"staticExport.autoscaling.enabled=false"}, texts: []string{"staticExport.publicKey=" + public}}.objects(t)
	n.secrets["docs-bundle"] = map[string]string{"link": s.put("Signed once.", "a", time.Hour, "--sign", private).URL}
	pod := n.start(values, "docs").ready()
	pod.shows("/docs/", "Signed once.")

	secret := filepath.Join(n.folder, "source", "url")
	replaceFile(t, secret, s.put("Nobody signed this.", "b", time.Hour).URL)
	pod.await("the refusal", func() bool { return pod.metric("lectern_bundle_refused_total") != "0" })
	pod.shows("/docs/", "Signed once.")

	replaceFile(t, secret, s.put("Signed again.", "c", time.Hour, "--sign", private).URL)
	pod.await("the new bundle", func() bool { return strings.Contains(pod.page("", "/docs/"), "Signed again.") })
}

// An air-gapped deployment polls a bucket, with one volume shared by two pods and a Secret with the bucket's keys.
func TestPodsShareVolumeAndFollowBucket(t *testing.T) {
	t.Parallel()
	s, n := newBundleBucket(t, objects), newNode(t)
	n.secrets["bundles-s3"] = map[string]string{"access-key": objects.AccessKey, "secret-key": objects.SecretKey}
	n.configs["internal-ca"] = map[string]string{"ca.crt": ""}
	values := rendering{
		files: []string{"static-airgap"},
		set: []string{"staticExport.pollInterval=1s", "staticExport.s3Secret.sessionTokenKey=",
			"security.openshift=on"},
		texts: []string{"staticExport.bundleUrl=s3://" + s.bucket + "/site.tar.gz?region=" + objects.Region +
			"&path-style=true&endpoint=" + objects.Endpoint},
	}.objects(t)
	s.fill("site.tar.gz", "In the bucket.", "a")
	two := []*running{n.start(values, "docs").ready(), n.start(values, "docs").ready()}
	for _, pod := range two {
		pod.shows("/", "In the bucket.")
	}
	s.fill("site.tar.gz", "Changed in the bucket.", "b")
	for _, pod := range two {
		pod.await("the new bundle",
			func() bool { return strings.Contains(pod.page("", "/"), "Changed in the bucket.") })
	}
	two[0].kill() // even if this pod downloaded the bundle, the other continues
	s.fill("site.tar.gz", "Changed again.", "c")
	two[1].await("the next bundle", func() bool { return strings.Contains(two[1].page("", "/"), "Changed again.") })
}

// H6: a stopping pod reports that it is not ready and keeps serving for the time set in the values.
func TestStoppingPodKeepsServing(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	link := newBundleBucket(t, objects).put("Still here.", "v1", time.Hour)
	pod := n.start(static(t, link, "v1", "staticExport.shutdown.delaySeconds=300"), "docs").ready()
	if err := pod.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	pod.await("that it is not ready", func() bool {
		status, _ := get("http://"+pod.ports["metrics"]+"/readyz", "")
		return status == http.StatusServiceUnavailable
	})
	pod.shows("/", "Still here.")
	if status, _ := get("http://"+pod.ports["metrics"]+"/healthz", ""); status != http.StatusOK {
		t.Errorf("the pod would be restarted while it drains: %d", status)
	}
}

// keyPair returns a public key as PEM and the file with its private key.
func keyPair(t *testing.T) (public, private string) {
	t.Helper()
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	open, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	private = filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(private, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
		0o600); err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: open})), private
}
