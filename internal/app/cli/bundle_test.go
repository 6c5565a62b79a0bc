package cli

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
)

// B7, B8, B9: verify accepts the output of export in every format.
func TestVerifyAcceptsExports(t *testing.T) {
	t.Parallel()
	src, out := smallSite(t), t.TempDir()
	for _, name := range []string{"site.tar.gz", "site.zip", "site"} {
		to := filepath.Join(out, name)
		invoke(t, "export", src, "--out", to, "--label", "v7").want(t, 0)
		if a := invoke(t, "bundle", "verify", to, "--version", "v7", "--strict").
			want(t, 0, "version v7, not signed", "0 errors, 0 warnings"); a.stdout != "" {
			t.Errorf("%s: %s", name, a.stdout)
		}
	}
	a := invoke(t, "bundle", "verify", filepath.Join(out, "site.zip"), "--version", "v8").
		want(t, 1, "1 error, 0 warnings")
	if !strings.Contains(a.stdout,
		`manifest.json: error: The bundle has the version "v7", not "v8". [version-mismatch]`) {
		t.Error(a.stdout)
	}
}

// B7: verify reports a file with one altered byte, and an additional file.
func TestVerifyNamesTamperedFiles(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "site")
	invoke(t, "export", smallSite(t), "--out", out).want(t, 0)
	dot := filepath.Join(out, "images", "dot.svg")
	if err := os.WriteFile(dot, []byte(strings.Replace(read(t, dot), "svg", "sVg", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, "new.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := invoke(t, "bundle", "verify", out, "--json").want(t, 1)
	var r bundlecheck.Report
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.OK || r.Errors != 2 || len(r.Findings) != 2 || r.Findings[0].File != "images/dot.svg" ||
		r.Findings[0].Code != "file-altered" ||
		r.Findings[1].File != "new.txt" || r.Findings[1].Code != "file-unlisted" || a.stderr != "" {
		t.Errorf("%s%s", a.stdout, a.stderr)
	}
}

func TestVerifyNeedsASignatureForAKey(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{"key.pub": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: raw})),
		"bad.pub": "x"})
	key, signed, plain := filepath.Join(dir, "key.pub"), filepath.Join(dir, "signed.tar.gz"),
		filepath.Join(dir, "plain.tar.gz")
	src := smallSite(t)
	invoke(t, "export", src, "--out", signed, "--sign", keyFile(t, private)).want(t, 0)
	invoke(t, "export", src, "--out", plain).want(t, 0)
	invoke(t, "bundle", "verify", signed, "--public-key", key).want(t, 0, "signature valid")
	invoke(t, "bundle", "verify", signed).want(t, 0, "signed, not checked (--public-key)")
	if a := invoke(t, "bundle", "verify", plain, "--public-key", key).
		want(t, 1); !strings.Contains(a.stdout, "[signature-missing]") {
		t.Error(a.stdout)
	}
	invoke(t, "bundle", "verify", plain, "--public-key", filepath.Join(dir, "bad.pub")).
		want(t, 2, "does not contain an Ed25519 public key")
	invoke(t, "bundle", "verify", plain, "--public-key", filepath.Join(dir, "none.pub")).want(t, 2, "cannot be opened")
}

// B8: a resource that an author loads from another host is an error, a broken link a warning.
func TestVerifyDistinguishesAuthorMistakesFromFaults(t *testing.T) {
	t.Parallel()
	files := siteFiles()
	files["index.mdx"] += "\n[gone](/gone)\n\n![far](https://x.test/a.png)\n"
	for i := range 9 {
		files["docs.json"] = strings.Replace(files["docs.json"], `"index"`, `"index", "p`+string(rune('0'+i))+`"`, 1)
		files["p"+string(rune('0'+i))+".mdx"] = "---\ntitle: P\n---\n\n![far](https://x.test/a.png)\n"
	}
	out := filepath.Join(t.TempDir(), "site.tar.gz")
	invoke(t, "export", write(t, files), "--out", out).want(t, 0)
	a := invoke(t, "bundle", "verify", out).want(t, 1, "10 errors, 1 warning")
	if n := strings.Count(a.stdout, "[foreign-load]"); n != 1 ||
		!strings.Contains(a.stdout, "\n    10 times: also p0.html:") || !strings.Contains(a.stdout, "[broken-link]") {
		t.Errorf("%d times:\n%s", n, a.stdout)
	}
	invoke(t, "bundle", "verify", out, "--allow-host", "x.test").
		want(t, 0, "pages load 10 files from allowed hosts", "0 errors, 1 warning")
	invoke(t, "bundle", "verify", out, "--allow-host", "x.test", "--strict").want(t, 1)
}

func TestVerifyRefusesFilesThatAreNotBundles(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.tar.gz": "hello", "empty/x.txt": "x"})
	invoke(t, "bundle", "verify", filepath.Join(dir, "none")).want(t, 2, "does not exist")
	if a := invoke(t, "bundle", "verify", filepath.Join(dir, "a.tar.gz")).
		want(t, 1); !strings.Contains(a.stdout, "neither a tar.gz nor a zip archive. [bundle-damaged]") {
		t.Error(a.stdout)
	}
	if a := invoke(t, "bundle", "verify", filepath.Join(dir, "empty")).
		want(t, 1); !strings.Contains(a.stdout, "[manifest-missing]") {
		t.Error(a.stdout)
	}
}

// B8: verify lists every host that a page would contact, as text and as JSON; it lists only hosts that the author's
// content contacts.
func TestVerifyListsHostsThatPagesContact(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "site.tar.gz")
	docs := write(t, map[string]string{
		"docs.json": `{"name":"S","theme":"mint","colors":{"primary":"#0F766E"},"navigation":{"pages":["index","two"]}}`,
		"index.mdx": "---\ntitle: Home\n---\n\n![Bird](https://pictures.example.com/bird.png)\n\n[A link](https://elsewhere.example.com) is no contact.\n",
		"two.mdx":   "---\ntitle: Two\n---\n\n![Bird](https://pictures.example.com/bird.png)\n"})
	invoke(t, "export", docs, "--out", out, "--no-cache", "--scripts", "off").want(t, 0)
	a := invoke(t, "bundle", "verify", out, "--allow-host", "pictures.example.com").
		want(t, 0, "pages contact other hosts automatically, links to 1 other host")
	if !strings.HasPrefix(a.stdout, "index.html:") || strings.Count(a.stdout, "\n") != 1 || !strings.HasSuffix(a.stdout,
		": contacts https://pictures.example.com/bird.png (image, automatically), and in 1 more place\n") {
		t.Errorf("%q", a.stdout)
	}
	var r bundlecheck.Report
	if err := json.Unmarshal([]byte(invoke(t, "bundle", "verify", out, "--json").want(t, 1).stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.ContactCount != 2 || len(r.Contacts) != 2 || r.Contacts[1].File != "two.html" ||
		r.Contacts[1].Reason != bundlecheck.ForImage || r.Contacts[1].When != bundlecheck.OnLoad ||
		r.Contacts[1].Allowed {
		t.Errorf("%+v", r.Contacts)
	}
}

// B8: verify reads authors' scripts without running them, and says so.
func TestVerifyListsAddressesInScripts(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "site.tar.gz")
	docs := write(t, map[string]string{
		"docs.json": `{"name":"S","theme":"mint","colors":{"primary":"#0F766E"},"navigation":{"pages":["index"]},
		"redirects":[{"source":"/old","destination":"https://new.example.com/"}]}`,
		"index.mdx": "---\ntitle: Home\n---\n\nText.\n", "chat.js": `fetch("https://chat.example.com/widget")`})
	invoke(t, "export", docs, "--out", out, "--no-cache").want(t, 0)
	a := invoke(t, "bundle", "verify", out).want(t, 0, "; 1 script read but not run")
	if !strings.Contains(a.stdout,
		"chat.js:1:8: may contact https://chat.example.com/widget (script, in a script)\n") ||
		!strings.Contains(a.stdout,
			": contacts https://new.example.com/ (redirect, automatically), and in 1 more place\n") {
		t.Errorf("%q", a.stdout)
	}
}
