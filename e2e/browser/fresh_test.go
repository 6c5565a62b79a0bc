package browser

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// waitLimit ends a test that hangs. It is generous because waits can be long on a busy machine.
const waitLimit = 5 * time.Minute

// freshServer is a server that has been started for the first time.
type freshServer struct {
	*client.Client // with the key that the server printed
	t              *testing.T
	url            string
	port           string
	data           string
	output         string // file with the server's output
	link           string // creates the first owner's account
	organization   string // name that strangers must not see
}

var (
	said      = regexp.MustCompile(`"msg":"serving".*"url":"([^"]+)"`)
	saidKey   = regexp.MustCompile(`lectern_[0-9A-Za-z]{38}`)
	saidOwner = regexp.MustCompile(`http://\S+/dashboard/join\?token=\S+`)
)

// startFreshServer starts a server that is configured only by env and flags, and reads its output.
func startFreshServer(t *testing.T, env []string, flags ...string) *freshServer {
	t.Helper()
	output, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	f := &freshServer{t: t, data: t.TempDir(), output: output.Name(), organization: "My organization"}
	cmd := exec.Command(programPath(t), append([]string{"serve", "--data", f.data, "--listen", "127.0.0.1:0"}, flags...)...)
	cmd.Env = lectern.Environment(t, env)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = output, output, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { f.stop(cmd, ended, output.Name()) })
	f.waitUntil("the server's first words", func() bool {
		text, err := os.ReadFile(output.Name())
		if err != nil {
			t.Fatal(err)
		}
		at, key := said.FindSubmatch(text), saidKey.Find(text)
		if at == nil || key == nil || !strings.Contains(string(text), "Keep the key") {
			return false
		}
		f.url, f.link = string(at[1]), string(saidOwner.Find(text))
		f.port = f.url[strings.LastIndexByte(f.url, ':')+1:]
		f.Client, err = client.New(f.url, string(key))
		return err == nil
	})
	return f
}

// stop lets the server finish its work, including its git processes, so that nothing writes to its folder afterwards.
func (f *freshServer) stop(cmd *exec.Cmd, ended <-chan error, output string) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(waitLimit):
		_ = cmd.Process.Kill()
		f.t.Error("the server did not stop")
	}
	text, err := os.ReadFile(output)
	if err != nil || !f.t.Failed() {
		return
	}
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(line, `"level":"INFO"`) {
			f.t.Logf("server output: %s", line)
		}
	}
}

func (f *freshServer) waitUntil(what string, holds func() bool) {
	f.t.Helper()
	deadline := time.After(waitLimit)
	for pause := lookSoon; !holds(); pause = min(pause*3/2, lookLate) {
		select {
		case <-deadline:
			f.t.Fatalf("timed out waiting for %s", what)
		case <-time.After(pause):
		}
	}
}

// site returns the address of a published site.
func (f *freshServer) site(domain string) string { return "http://" + domain + ":" + f.port }

// project returns the id of the project on a domain, once it is published.
func (f *freshServer) project(domain string) (id string) {
	f.t.Helper()
	f.waitUntil("the project on "+domain, func() bool {
		list, err := f.ListProjects(f.t.Context(), client.ListProjectsParams{})
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

// sh runs in a shell a command line that a page shows.
func sh(t *testing.T, line string, env ...string) string {
	t.Helper()
	cmd := exec.Command("sh", "-euc", line)
	cmd.Dir, cmd.Env = t.TempDir(), append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", line, err, out)
	}
	return string(out)
}

// repository serves a docs folder as a Git repository over HTTP, with git's own program. It does not respond until it
// is released, so that a test can inspect what is waiting for it.
func repository(t *testing.T, pairs ...string) (address string, release func()) {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "docs.git")
	git := func(args ...string) string { return testgit.Run(t, dir, args...) }
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	git("init", "-q", "-b", "main")
	for i := 0; i < len(pairs); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, pairs[i]), []byte(pairs[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("add", "-A")
	git("commit", "-qm", "docs")
	backend := &cgi.Handler{Path: filepath.Join(git("--exec-path"), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + root,
			"GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}}
	released := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-released
		backend.ServeHTTP(w, r)
	}))
	release = sync.OnceFunc(func() { close(released) })
	t.Cleanup(func() { release(); server.Close() })
	return server.URL + "/docs.git", release
}
