//go:build nightly

package e2e

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// apiSite writes a docs folder with a page about an API. Its texts contain none of the words in traces.
func apiSite(t *testing.T, api string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir+"/docs.json",
		`{"name":"Pets","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index","pets"]}}`)
	write(t, dir+"/index.mdx", "---\ntitle: Home\n---\n\nWelcome to the kennel.\n")
	write(t, dir+"/pets.mdx", "---\ntitle: Pets\nopenapi: GET /pets\n---\n")
	write(t, dir+"/openapi.json",
		fmt.Sprintf(`{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"servers":[{"url":%q}],
		"paths":{"/pets":{"get":{"summary":"Pets","parameters":[{"in":"query","name":"kind","schema":{"type":"string"}}],"responses":{"200":{"description":"ok"}}}}}}`, api))
	return dir
}

// traces match the traces that a feature leaves in a page or in a bundle's file list. If the feature is off, nothing
// may match.
var traces = map[string]*regexp.Regexp{
	"search":     regexp.MustCompile(`data-search`),
	"assistant":  regexp.MustCompile(`(?i)assistant|data-ask`),
	"analytics":  regexp.MustCompile(`(?i)analytics|data-count|feedback`),
	"playground": regexp.MustCompile(`(?i)playground|data-try|api-origins`),
}

// endpoints has a site's endpoint for each feature, with its method.
var endpoints = map[string]string{
	"search": "POST /mcp", "assistant": "GET " + capability.AskPath, "analytics": "POST " + capability.CountPath,
	"playground": "GET " + capability.ProxyPath,
}

// countsBundles lets bundle pages report visits to the published site, which is off by default.
const countsBundles = "LECTERN_ANALYTICS_BUNDLES=on"

// deployments lists settings for each deployment type with the expected state of every feature; a + marks features that
// are on.
var deployments = []struct {
	name string
	env  []string
	want string
}{
	{"cloud", []string{"LECTERN_DEPLOYMENT_TYPE=cloud", "LECTERN_ASSISTANT_ENDPOINT=http://127.0.0.1:9",
		"LECTERN_ASSISTANT_MODEL=openai:m"},
		"search +available, assistant +available, analytics +available, playground +available, staticExport +available"},
	{"cloud without a model", []string{"LECTERN_DEPLOYMENT_TYPE=cloud"},
		"search +available, assistant +available, analytics +available, playground +available, staticExport +available"},
	{"cloud, assistant off", []string{"LECTERN_DEPLOYMENT_TYPE=cloud", "LECTERN_FEATURES_ASSISTANT=off"},
		"search +available, assistant available, analytics +available, playground +available, staticExport +available"},
	{"client-hosted", nil,
		"search +configurable, assistant configurable, analytics +configurable, playground +available, staticExport +available"},
	{"client-hosted, bundles counted", []string{countsBundles},
		"search +configurable, assistant configurable, analytics +configurable, playground +available, staticExport +available"},
	{"client-hosted, all off",
		[]string{"LECTERN_FEATURES_SEARCH=off", "LECTERN_FEATURES_ASSISTANT=off", "LECTERN_FEATURES_ANALYTICS=off"},
		"search configurable, assistant configurable, analytics configurable, playground +available, staticExport +available"},
	{"client-hosted, assistant alone",
		[]string{"LECTERN_FEATURES_SEARCH=off", "LECTERN_FEATURES_ASSISTANT=local", "LECTERN_FEATURES_ANALYTICS=off"},
		"search configurable, assistant +configurable, analytics configurable, playground +available, staticExport +available"},
	{"air-gapped", []string{"LECTERN_DEPLOYMENT_TYPE=air-gapped", "LECTERN_ASSISTANT_ENDPOINT=http://127.0.0.1:9",
		"LECTERN_ASSISTANT_MODEL=openai:m", "LECTERN_FEATURES_ANALYTICS=on"},
		"search unavailable, assistant unavailable, analytics unavailable, playground configurable, staticExport +available"},
	{"air-gapped, local", []string{"LECTERN_DEPLOYMENT_TYPE=air-gapped", "LECTERN_FEATURES_SEARCH=local",
		"LECTERN_FEATURES_ASSISTANT=local", "LECTERN_PLAYGROUND_ORIGINS=https://api.example.com"},
		"search +local, assistant +local, analytics unavailable, playground +configurable, staticExport +available"},
}

// D9: the API, the dashboard, the published site, its endpoints and a bundle agree on every cell of the specification's
// table. The test restarts the same server with other settings, which publishes the existing sites again.
func TestAllInterfacesAgreeOnFeatures(t *testing.T) {
	t.Parallel()
	data, key, domain := t.TempDir(), "", "pets.localhost"
	var owner *http.Client
	for i, d := range deployments {
		p := serve(t, data, d.env, "--first-site", "off", "--sources-local", "on")
		if i == 0 {
			key = command(t, nil, "keys", "create", "--data", data)
			publishFolder(t, p.client(key), apiSite(t, "https://api.example.com/v1"), domain)
			owner = p.owner()
		}
		f := &featured{process: p, c: p.client(key), domain: domain, name: d.name}
		f.expectFeatures(d.want)
		f.checkDashboard(owner, d.want)
		f.checkSite(d.want)
		if !slices.Contains(d.env, countsBundles) {
			d.want = strings.Replace(d.want, "analytics +", "analytics ", 1)
		}
		f.checkBundle(d.want)
		p.Stop()
	}
}

// featured is a server with the settings of one deployment.
type featured struct {
	*process
	c            *client.Client
	domain, name string
}

// eachFeature calls check with every feature, its state and whether it is on.
func eachFeature(want string, check func(name, state string, on bool)) {
	for cell := range strings.SplitSeq(want, ", ") {
		name, state, _ := strings.Cut(cell, " ")
		check(name, strings.TrimPrefix(state, "+"), strings.HasPrefix(state, "+"))
	}
}

// expectFeatures checks the API's response.
func (f *featured) expectFeatures(want string) {
	f.t.Helper()
	d, err := f.c.GetDeployment(background())
	if err != nil {
		f.t.Fatal(err)
	}
	is := d.Features
	all := map[string]client.Feature{"search": is.Search, "assistant": is.Assistant, "analytics": is.Analytics,
		"playground": is.Playground, "staticExport": is.StaticExport}
	eachFeature(want, func(name, state string, on bool) {
		if got := all[name]; string(got.State) != state || got.Enabled != on || got.Reason == "" {
			f.t.Errorf("%s: the API reports for %s: %+v, want %s %v", f.name, name, got, state, on)
		}
	})
}

// checkDashboard checks the table in the dashboard.
func (f *featured) checkDashboard(owner *http.Client, want string) {
	f.t.Helper()
	_, html := openPage(f.t, owner, f.url+"/dashboard/settings/organization")
	eachFeature(want, func(name, state string, on bool) {
		row := regexp.MustCompile(`<code class="whole">` + name + `</code>(.*)</tr>`).FindStringSubmatch(html)
		enabled := `data-label="Enabled">no<`
		if on {
			enabled = `data-label="Enabled">yes<`
		}
		if row == nil || !strings.Contains(row[1], state) || !strings.Contains(row[1], enabled) {
			f.t.Errorf("%s: the dashboard shows for %s: %v", f.name, name, row)
		}
	})
}

// checkSite waits until the site is published with the features in want and checks its endpoints.
func (f *featured) checkSite(want string) {
	f.t.Helper()
	wrong := ""
	f.Await("a site with "+want, func() bool {
		_, home := page(f.t, f.process, f.domain, "/")
		_, api := page(f.t, f.process, f.domain, "/pets")
		wrong = mismatches(home+api, want)
		return wrong == ""
	})
	eachFeature(want, func(name, _ string, on bool) {
		if name == "staticExport" {
			return
		}
		method, path, _ := strings.Cut(endpoints[name], " ")
		r, err := http.NewRequestWithContext(background(), method, f.url+path, strings.NewReader("[]"))
		if err != nil {
			f.t.Fatal(err)
		}
		r.Host = f.domain
		r.Header.Set("Content-Type", "text/plain")
		status, _ := readResponse(f.t, do(f.t, r), nil)
		if there := status != http.StatusNotFound && status != http.StatusMethodNotAllowed; there != on {
			f.t.Errorf("%s: %s returns %d, want it to exist: %v", f.name, endpoints[name], status, on)
		}
	})
}

// mismatches lists features that are off although text contains a trace of them, or on although it contains none.
func mismatches(text, want string) (list string) {
	eachFeature(want, func(name, _ string, on bool) {
		if sign := traces[name]; sign != nil && sign.MatchString(text) != on {
			list += fmt.Sprintf(" %s (%v: %q)", name, on, sign.FindString(text))
		}
	})
	return list
}

// checkBundle exports the site and checks the bundle.
func (f *featured) checkBundle(want string) {
	f.t.Helper()
	job, err := f.c.StartExport(background(), client.StartExport{Domain: f.domain})
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := f.c.WaitExport(background(), job.JobID, nil); err != nil {
		f.t.Fatal(err)
	}
	var bundle bytes.Buffer
	if err := f.c.Download(background(), requestLink(f.t, f.c, job.JobID), &bundle); err != nil {
		f.t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range []string{"index.html", "pets.html", "manifest.json"} {
		all.Write(fileIn(f.t, client.BundleFormatTarGz, bundle.Bytes(), name))
	}
	if wrong := mismatches(all.String(), want); wrong != "" {
		f.t.Errorf("%s: the bundle disagrees on%s", f.name, wrong)
	}
	indexed := strings.Contains(all.String(), searchindex.Folder+"/") // used by search, or only by the assistant
	if asked := strings.Contains(want, "search +") || strings.Contains(want, "assistant +"); indexed != asked {
		f.t.Errorf("%s: the bundle has an index: %v", f.name, indexed)
	}
}

// fileIn returns one file of an archive.
func fileIn(t *testing.T, format client.BundleFormat, bundle []byte, name string) []byte {
	t.Helper()
	var file io.Reader
	if format == client.BundleFormatZip {
		zr, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
		if err != nil {
			t.Fatal(err)
		}
		if file, err = zr.Open(name); err != nil {
			t.Fatal(err)
		}
	} else {
		zr, err := gzip.NewReader(bytes.NewReader(bundle))
		if err != nil {
			t.Fatal(err)
		}
		tr := tar.NewReader(zr)
		for h := new(tar.Header); h.Name != name; {
			if h, err = tr.Next(); err != nil {
				t.Fatal(err)
			}
		}
		file = tr
	}
	raw, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
