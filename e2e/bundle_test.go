package e2e

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// largeSite writes a site whose bundle is larger than the buffers of connections and servers.
func largeSite(t *testing.T) string {
	t.Helper()
	dir := site(t, 2)
	noise := make([]byte, 24<<20)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/noise.bin", string(noise))
	return dir
}

// startWithExport starts a server, publishes the site and exports it.
func startWithExport(t *testing.T, env []string) (p *process, c *client.Client, jobID string) {
	t.Helper()
	data := t.TempDir()
	p = serve(t, data, env, "--first-site", "off", "--export-link-life", "10s", "--rate-limit", "0")
	c = p.client(command(t, env, "keys", "create", "--data", data))
	publishFolder(t, c, largeSite(t), "heavy.localhost")
	job, err := c.StartExport(background(), client.StartExport{Domain: "heavy.localhost", Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitExport(background(), job.JobID, nil); err != nil {
		t.Fatal(err)
	}
	return p, c, job.JobID
}

// B1, B2, B3, B4, B7: on a running server, with bundles on its disk or in an object store, a link is valid for one
// object, one method and a limited time. A slow download that began in time completes. A new link returns the same
// bytes, and they pass verify.
func TestBundleLinkLifecycle(t *testing.T) {
	t.Parallel()
	for name, env := range map[string][]string{"disk": nil, "s3": sharedSettings(t, database.Database(t))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, c, jobID := startWithExport(t, env)
			first := requestLink(t, c, jobID)
			got := slowDownload(t, first)
			if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != first.SHA256 ||
				int64(len(got)) != first.SizeBytes {
				t.Errorf("the download that outlasted the link has %d of %d bytes", len(got), first.SizeBytes)
			}
			if s := requestStatus(t, http.MethodGet, first.BundleURL, "bytes=1000-"); s != http.StatusForbidden { // B3
				t.Errorf("resumed after its expiry: %d", s)
			}
			checkAltered(t, requestLink(t, c, jobID).BundleURL, name == "disk")
			for range 10 { // B4
				again := requestLink(t, c, jobID)
				if again.JobID != jobID || again.SHA256 != first.SHA256 || again.BundleURL == first.BundleURL {
					t.Errorf("renewed: %+v, first %+v", again, first)
				}
				if s := requestStatus(t, http.MethodGet, again.BundleURL, "bytes=0-9"); s != http.StatusPartialContent {
					t.Errorf("renewed: %d", s)
				}
			}
			file := filepath.Join(t.TempDir(), "site.tar.gz")
			write(t, file, string(got))
			command(t, nil, "bundle", "verify", file, "--version", "v1", "--strict")
			got[len(got)/2] ^= 0x10 // B7
			write(t, file, string(got))
			mustNotVerify(t, "one byte", file)
		})
	}
}

func requestLink(t *testing.T, c *client.Client, jobID string) *client.BundleLink {
	t.Helper()
	link, err := c.CreateExportBundle(background(), jobID,
		client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
	if err != nil {
		t.Fatal(err)
	}
	return link
}

// slowDownload reads the start of the response, waits until the link has expired, and reads the rest.
func slowDownload(t *testing.T, link *client.BundleLink) []byte {
	t.Helper()
	r, err := http.Get(link.BundleURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	if r.StatusCode != http.StatusOK {
		t.Fatalf("status %s", r.Status)
	}
	var got bytes.Buffer
	if _, err := io.CopyN(&got, r.Body, 1000); err != nil {
		t.Fatal(err)
	}
	<-time.After(time.Until(link.ExpiresAt.Add(time.Second))) // the servers use the real clock
	if s := requestStatus(t, http.MethodGet, link.BundleURL, ""); s != http.StatusForbidden {
		t.Errorf("one second after its expiry: %d", s)
	}
	if _, err := io.Copy(&got, r.Body); err != nil {
		t.Errorf("the running download: %v", err)
	}
	return got.Bytes()
}

// requestStatus returns the status of one request without reading the whole body.
func requestStatus(t *testing.T, method, link, part string) int {
	t.Helper()
	req, err := http.NewRequest(method, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	if part != "" {
		req.Header.Set("Range", part)
	}
	r, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, link, err)
	}
	_ = r.Body.Close()
	return r.StatusCode
}

// checkAltered checks that a link is refused after a change to any byte of its path and query, or to its method. If
// ours is set, the link is to our own server, where every changed link must get 403, except one with a changed byte in
// /blob/, which is another route.
func checkAltered(t *testing.T, link string, ours bool) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	start := strings.Index(link, u.Host) + len(u.Host) + 1
	for i := start; i < len(link); i++ {
		other := byte('0')
		if link[i] >= '0' && link[i] < '9' {
			other = link[i] + 1
		}
		switch s := requestStatus(t, http.MethodGet, link[:i]+string(other)+link[i+1:], "bytes=0-9"); {
		case s == http.StatusForbidden:
		case ours && i >= start+len("blob/"), s < 400, s >= 500:
			t.Errorf("with %q for byte %d: %d", other, i, s)
		}
	}
	for _, method := range []string{http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete} {
		if s := requestStatus(t, method, link, ""); s != http.StatusForbidden && s != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, s)
		}
	}
	if s := requestStatus(t, http.MethodGet, link, "bytes=0-9"); s != http.StatusPartialContent {
		t.Errorf("the link itself: %d", s)
	}
}
