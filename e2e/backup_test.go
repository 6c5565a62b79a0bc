package e2e

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// state is everything that must be the same on a restored server.
type state struct {
	pages   map[string]string // host and path → digest of the page
	bundles map[string]string // job and format → SHA-256 of the bytes that were downloaded
	other   string            // the agent's proposal, the organization
}

// readState reads the state of a server: every page of the hosts over HTTP, and every bundle of the jobs through its
// link.
func readState(t *testing.T, p *process, key string, hosts, jobs []string, projectID, proposalID string) state {
	t.Helper()
	s, c := state{pages: map[string]string{}, bundles: map[string]string{}}, p.client(key)
	for _, host := range hosts {
		code, sitemap := page(t, p, host, "/sitemap.xml")
		paths := regexp.MustCompile(`<loc>https?://[^/<]+([^<]*)</loc>`).FindAllStringSubmatch(sitemap, -1)
		if code != http.StatusOK || len(paths) == 0 {
			t.Fatalf("the sitemap of %s: %d\n%s", host, code, sitemap)
		}
		for _, at := range append(paths, []string{"", "/llms.txt"}) {
			code, text := page(t, p, host, at[1])
			if code != http.StatusOK {
				t.Errorf("%s%s: %d", host, at[1], code)
			}
			s.pages[host+at[1]] = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
		}
	}
	for _, job := range jobs {
		for _, format := range []client.BundleFormat{client.BundleFormatTarGz, client.BundleFormatZip} {
			link, err := c.CreateExportBundle(background(), job, client.CreateExportBundleParams{Format: format})
			sum := sha256.New()
			if err == nil {
				err = c.Download(background(), link, sum)
			}
			if err != nil {
				t.Fatal(err)
			}
			s.bundles[job+" "+string(format)] = fmt.Sprintf("%x", sum.Sum(nil))
		}
	}
	o, err := c.GetOrganization(background())
	if err != nil {
		t.Fatal(err)
	}
	s.other = o.Name
	if proposalID != "" {
		changes, err := c.GetProposal(background(), projectID, proposalID)
		if err != nil || changes.Patch == nil {
			t.Fatalf("%+v %v", changes, err)
		}
		s.other += *changes.Patch
	}
	return s
}

func (s state) compare(t *testing.T, restored state) {
	t.Helper()
	for name, pair := range map[string][2]map[string]string{"page": {s.pages, restored.pages},
		"bundle": {s.bundles, restored.bundles}} {
		if len(pair[0]) != len(pair[1]) {
			t.Errorf("%d of %ss, were %d", len(pair[1]), name, len(pair[0]))
		}
		for at, digest := range pair[0] {
			if pair[1][at] != digest {
				t.Errorf("the %s %s has changed", name, at)
			}
		}
	}
	if s.other != restored.other {
		t.Errorf("changed:\n%s\nwas\n%s", restored.other, s.other)
	}
}

func exportBundle(t *testing.T, c *client.Client, domain string) string {
	t.Helper()
	job, err := c.StartExport(background(), client.StartExport{Domain: domain})
	if err == nil {
		job, err = c.WaitExport(background(), job.JobID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return job.JobID
}

// publishing is a site that is republished over and over; each time, all its pages get the same new mark.
type publishing struct {
	domain string
	stop   func()
}

const busyPages = 6

func keepPublishing(t *testing.T, c *client.Client, domain string) publishing {
	t.Helper()
	dir := site(t, busyPages)
	mark := func(n int) {
		for i := range busyPages {
			write(t, fmt.Sprintf("%s/page-%05d.mdx", dir, i), fmt.Sprintf("---\ntitle: P\n---\n\nmark-%d-\n", n))
		}
	}
	mark(0)
	p := newProject(t, c, dir, domain)
	if _, err := c.WaitUpdate(background(), p.LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 1; ctx.Err() == nil; n++ {
			mark(n)
			u, err := c.StartUpdate(background(), p.ProjectID, client.StartUpdate{})
			if err == nil {
				_, err = c.WaitUpdate(background(), u.StatusID, nil)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}()
	stop := func() { cancel(); <-done }
	t.Cleanup(stop) // if the test fails before it calls stop, other tests must still run
	return publishing{domain: domain, stop: stop}
}

// awaitUpdate waits for the end of an update that was running during the backup. The restored server resumes it, and
// while the site changes, its pages may show two marks.
func (b publishing) awaitUpdate(t *testing.T, p *process, key string) {
	t.Helper()
	p.Await("the end of the last update", func() bool {
		list, err := p.client(key).ListProjects(background(), client.ListProjectsParams{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(list.Projects, func(one client.Project) bool { return one.Domains[0] == b.domain })
		return at >= 0 && list.Projects[at].LastUpdate.Status.Ended()
	})
}

// checkOneVersion checks that all pages have the same mark.
func (b publishing) checkOneVersion(t *testing.T, p *process) {
	t.Helper()
	first := ""
	for i := range busyPages {
		code, text := page(t, p, b.domain, fmt.Sprintf("/page-%05d", i))
		mark := regexp.MustCompile(`mark-\d+-`).FindString(text)
		if first == "" {
			first = mark
		}
		if code != http.StatusOK || mark == "" || mark != first {
			t.Errorf("page %d: %d, mark %q beside %q", i, code, mark, first)
		}
	}
}
