package build

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/script/scriptproc"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// The test binary also serves as the process in which builds run author code.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "as-script-process" {
		err := scriptproc.Confine()
		if err == nil {
			err = jsrun.Serve(os.Stdin, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// processes starts processes for a build and records their ids.
type processes struct {
	starter *scriptproc.Starter
	started chan struct{} // one for each
	mu      sync.Mutex
	pids    []int
}

func newProcesses(t *testing.T) *processes {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &processes{starter: scriptproc.New(scriptproc.Options{Exe: exe, Args: []string{"as-script-process"}}),
		started: make(chan struct{}, 100)}
}

func (p *processes) host() jsrun.Host {
	return jsrun.Host{Start: func() (jsrun.Process, error) {
		c, err := p.starter.Start()
		if err != nil {
			return nil, err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.pids = append(p.pids, c.PID())
		p.started <- struct{}{}
		return c, nil
	}}
}

func (p *processes) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.pids)
}

func (p *processes) anyAlive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.pids, func(pid int) bool { return syscall.Kill(pid, 0) == nil })
}

const endless = "{(() => { const a = 'x'.repeat(1e7), b = 'x'.repeat(1e7); for (;;) if (a !== b) break })()}"

func scriptedSite(pages int, page func(i int) string) map[string]string {
	out, names := map[string]string{}, []string{}
	for i := range pages {
		out[fmt.Sprintf("p%d.mdx", i)] = page(i)
		names = append(names, fmt.Sprintf(`"p%d"`, i))
	}
	out["docs.json"] = `{"name": "S", "navigation": {"pages": [` + strings.Join(names, ",") + `]}}`
	return out
}

// C2: a build starts few processes and stops them; if a process is killed, only its page fails.
func TestBuildRunsCodeInProcessesAndEndsThem(t *testing.T) {
	src := files(scriptedSite(30, func(i int) string {
		if i == 7 {
			return endless
		}
		return fmt.Sprintf("{(() => %d * 2)()}", 1000+i)
	}))
	p := newProcesses(t)
	out, r := build(t, src, Options{Links: link.Relative, Workers: 2, Scripts: p.host()})
	if r.Pages != 29 || r.Failed != 1 || !strings.Contains(out.files["p12.html"], "2024") {
		t.Errorf("%d pages, %d failed: %v", r.Pages, r.Failed, r.Diagnostics)
	}
	if n := p.count(); n < 2 || n > 3 {
		t.Errorf("%d processes, want one for each worker and one to replace the killed one", n)
	}
	if p.anyAlive() {
		t.Error("a process outlived its build")
	}
	inside, _ := build(t, files(scriptedSite(3, func(i int) string { return "{[1, 2].map((n) => <b>{n}</b>)}" })),
		Options{})
	apart, _ := build(t, files(scriptedSite(3, func(i int) string { return "{[1, 2].map((n) => <b>{n}</b>)}" })),
		Options{Scripts: p.host()})
	if inside.files["p1/index.html"] != apart.files["p1/index.html"] ||
		inside.files["p1.html"] != apart.files["p1.html"] {
		t.Error("a page depends on where its code ran")
	}
}

func TestSiteWithoutCodeStartsNoProcess(t *testing.T) {
	src := files(map[string]string{
		"index.mdx": "import N from '/snippets/n.mdx'\n\nexport const v = 3\n\n{v + 1} <N a=\"b\" /> {\"x\"}\n\n<Card title=\"t\">y</Card>", "snippets/n.mdx": "{a}!"})
	p := newProcesses(t)
	if _, r := build(t, src, Options{Scripts: p.host()}); r.Pages != 1 || p.count() != 0 {
		t.Errorf("%d pages, %d processes: %v", r.Pages, p.count(), r.Diagnostics)
	}
}

func TestProcessesEndWhenBuildIsCanceled(t *testing.T) {
	src := files(scriptedSite(4, func(int) string { return endless }))
	p := newProcesses(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := Build(ctx, src, Options{Workers: 2, Scripts: p.host()}, &memory{})
		done <- err
	}()
	<-p.started
	<-p.started
	cancel()
	if err := <-done; err == nil {
		t.Error("the canceled build returned no error")
	}
	if p.anyAlive() {
		t.Error("a process outlived its build")
	}
}
