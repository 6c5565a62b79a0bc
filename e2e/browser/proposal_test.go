package browser

import (
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/client"
)

var shots = flag.String("shots", "", "folder for pictures of the dashboard's pages; none are taken without it")

var firstKey = regexp.MustCompile(`lectern_[0-9A-Za-z]{38}`)

// fresh is a server that was started for the first time, with nothing configured.
type fresh struct {
	*client.Client
	t   *testing.T
	url string
	key string
}

func startFresh(t *testing.T) *fresh {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "lectern")
	build := exec.Command("go", "build", "-o", binary, "../../cmd/lectern")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	said, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd := exec.Command(binary, "serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LECTERN_METRICS_LISTEN=off"}
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = said, said, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	f := &fresh{t: t}
	address := regexp.MustCompile(`"msg":"serving".*"url":"([^"]+)"`)
	f.await("the server's first words", func() bool {
		text, err := os.ReadFile(said.Name())
		m := address.FindStringSubmatch(string(text))
		if f.key = firstKey.FindString(string(text)); err != nil || m == nil {
			return false
		}
		f.url = m[1]
		return f.key != ""
	})
	if f.Client, err = client.New(f.url, f.key); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fresh) await(what string, holds func() bool) {
	f.t.Helper()
	deadline, tick := time.After(time.Minute), time.NewTicker(10*time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			f.t.Fatalf("%s did not come", what)
		case <-tick.C:
		}
	}
}

// project is the id of the project on a domain.
func (f *fresh) project(domain string) (id string) {
	f.t.Helper()
	f.await("the project on "+domain, func() bool {
		list, err := f.ListProjects(f.t.Context(), client.Page{})
		if err != nil {
			f.t.Fatal(err)
		}
		for _, p := range list.Projects {
			if p.Domains[0] == domain && p.Live != nil {
				id = p.ProjectID
			}
		}
		return id != ""
	})
	return id
}

// ask lets the agent work on a prompt to its end.
func (f *fresh) ask(projectID, prompt string) *client.AgentJob {
	f.t.Helper()
	job, err := f.CreateAgentJob(f.t.Context(), projectID, client.CreateAgentJob{Prompt: prompt})
	if err == nil {
		job, err = f.WaitAgentJob(f.t.Context(), projectID, job.ID, nil)
	}
	if err != nil || job.PRLink == nil {
		f.t.Fatalf("%+v %v", job, err)
	}
	return job
}

// The agent's proposal on a fresh server, in a browser: the link opens, the diff can be seen on a desk and on a phone, in light and dark, the
// preview shows the change; a wrong key is told, the right one merges (C5, G4).
func TestAProposalIsReadAndMerged(t *testing.T) {
	f := startFresh(t)
	tour := f.project("tour.localhost")
	job := f.ask(tour, "fix broken links")
	axe, err := os.ReadFile("../../web/npm/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []reader{{}, {phone: true}} {
		p := openAs(t, *job.PRLink, who)
		p.until(`document.readyState === 'complete'`)
		for _, scheme := range []string{"light", "dark"} {
			eval[bool](p, `(document.documentElement.style.colorScheme = '`+scheme+`') !== ''`)
			name := "proposal-" + map[bool]string{false: "desk", true: "phone"}[who.phone] + "-" + scheme
			p.changesShow(name)
			p.judge(name, string(axe))
			p.picture(name)
		}
		p.quiet()
	}
	f.await("the preview", func() bool { return f.previewed(*job.PRLink) })
	p := openURL(t, *job.PRLink)
	p.follow(`.file .look`, "Your first cup")
	p.until(`document.querySelector('#content a[href="/guides/descaling"]') !== null`)
	p.quiet()
	f.merge(*job.PRLink, string(axe))
	site := "http://tour.localhost:" + f.url[strings.LastIndexByte(f.url, ':')+1:]
	p = openURL(t, site+"/guides/first-cup")
	for !eval[bool](p, `document.querySelector('#content a[href="/guides/descaling"]') !== null`) {
		p.reload()
	}
}

// previewed tells whether the proposal's page leads to the preview of a page: it is built after the proposal was made.
func (f *fresh) previewed(link string) bool {
	r, err := http.Get(link)
	if err != nil {
		f.t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return strings.Contains(string(text), `<a class="look"`)
}

// changesShow fails the test unless the lines of the change can be seen, and nothing hangs over the window's edge.
func (p *page) changesShow(name string) {
	p.t.Helper()
	for _, line := range []string{`del`, `ins`} {
		if !eval[bool](p, `[...document.querySelectorAll('.diff `+line+`')].some((e) => e.checkVisibility() && e.getBoundingClientRect().width > 100)`) {
			p.t.Errorf("%s: no %s can be seen", name, line)
		}
	}
	if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		p.t.Errorf("%s: the page is %d pixels too wide", name, over)
	}
	if bad := eval[[]string](p, `performance.getEntriesByType('resource').filter((e) => e.responseStatus >= 400).map((e) => e.name)`); len(bad) > 0 {
		p.t.Errorf("%s: not found: %v", name, bad)
	}
}

// merge tries a wrong key, then the right one, as somebody at a phone does.
func (f *fresh) merge(link, axe string) {
	p := openAs(f.t, link, reader{phone: true})
	enter := func(key string) {
		run(p, chromedp.SendKeys(chromedp.CSS("#key"), key))
		p.mark()
		p.click("button.main")
		p.until(`window.sameDocument === undefined && document.readyState === 'complete'`)
	}
	enter("lectern_wrong")
	p.until(`document.querySelector('.trouble')?.checkVisibility() && document.querySelector('.trouble').textContent.length > 10`)
	p.judge("after a wrong key", axe)
	p.picture("proposal-wrong-key")
	enter(f.key)
	p.until(`document.querySelector('.state[data-state="merged"]') !== null && document.querySelector('form') === null`)
	p.same("address", eval[string](p, `location.href`), link)
	p.changesShow("merged")
	p.judge("merged", axe)
	p.picture("proposal-merged")
	p.quietBut("Failed to load resource: the server responded with a status of 401")
}

// picture keeps what the page looks like, where that is asked for.
func (p *page) picture(name string) {
	p.t.Helper()
	if *shots == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), run(p, chromedp.FullScreenshot(100)), 0o600); err != nil {
		p.t.Fatal(err)
	}
}
