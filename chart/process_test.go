package chart

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience limits every wait.
const patience = time.Minute

// running is a container of a pod as a process.
type running struct {
	t      *testing.T
	owner  string
	cmd    *exec.Cmd
	ports  map[string]string // addresses by name: http, metrics
	output *buffer
	done   chan struct{}
	err    error // set before done is closed
}

// buffer collects output that is read concurrently.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) { b.mu.Lock(); defer b.mu.Unlock(); return b.b.Write(p) }
func (b *buffer) String() string              { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

// start runs the pod of a component. args, if any, replace the container's arguments, as with kubectl exec.
func (n *node) start(objects []object, component string, args ...string) *running {
	n.t.Helper()
	n.apply(objects)
	p, err := podOf(objects, component)
	if err != nil {
		n.t.Fatal(err)
	}
	var owner object
	for _, o := range objects {
		if kind(o)+" "+nameOf(o) == p.owner {
			owner = o
		}
	}
	c := p.containers()[0]
	mounts := n.mounts(p, owner, c)
	byNumber, byName := n.ports(c)
	if len(args) == 0 {
		args = texts(list(c, "args"))
	}
	for i := range args {
		args[i] = n.here(args[i], mounts, byNumber)
	}
	r := &running{t: n.t, owner: p.owner, ports: byName, output: &buffer{}, done: make(chan struct{}),
		cmd: exec.Command(binary, args...)}
	r.cmd.Dir = "/"
	r.cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin"} // HOME is the root folder, as for users without an entry
	if tmp := mounts["/tmp"]; tmp != "" {
		r.cmd.Env = append(r.cmd.Env, "TMPDIR="+tmp)
	}
	for _, e := range list(c, "env") {
		r.cmd.Env = append(r.cmd.Env, text(e, "name")+"="+n.here(n.value(e), mounts, byNumber))
	}
	r.cmd.Stdout, r.cmd.Stderr = r.output, r.output
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Credential: n.credential(p)}
	if err := r.cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	go func() { r.err = r.cmd.Wait(); close(r.done) }()
	n.t.Cleanup(func() {
		r.kill()
		if n.t.Failed() {
			n.t.Logf("output of %s:\n%s", r.owner, r.output)
		}
	})
	return r
}

// value returns the value of a container's variable.
func (n *node) value(e any) string {
	n.t.Helper()
	if at(e, "valueFrom") == nil {
		return text(e, "value")
	}
	ref := at(e, "valueFrom", "secretKeyRef")
	value, ok := n.secrets[text(ref, "name")][text(ref, "key")]
	if !ok {
		n.t.Fatalf("the variable %s refers to a Secret that does not exist: %v", text(e, "name"), ref)
	}
	return value
}

// finish runs the pod of a component until it exits and returns its output.
func (n *node) finish(objects []object, component string, args ...string) string {
	n.t.Helper()
	r := n.start(objects, component, args...)
	r.end()
	if r.err != nil {
		n.t.Fatalf("%s: %v\n%s", r.owner, r.err, r.output)
	}
	return r.output.String()
}

// end waits until the process exits.
func (r *running) end() {
	r.t.Helper()
	select {
	case <-r.done:
	case <-time.After(patience):
		r.t.Fatalf("%s does not exit:\n%s", r.owner, r.output)
	}
}

// kill sends SIGKILL and waits until the process has exited.
func (r *running) kill() {
	_ = r.cmd.Process.Kill()
	<-r.done
}

// stop sends SIGTERM and fails the test unless the process exits successfully.
func (r *running) stop() {
	r.t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		r.t.Fatal(err)
	}
	if r.end(); r.err != nil {
		r.t.Fatalf("%s did not stop cleanly: %v", r.owner, r.err)
	}
}

// await polls until the condition holds. It fails the test if the process exits first.
func (r *running) await(what string, holds func() bool) {
	r.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-r.done:
			r.t.Fatalf("%s exited while waiting for %s: %v", r.owner, what, r.err)
		case <-deadline:
			r.t.Fatalf("%s: %s not reached within %s", r.owner, what, patience)
		case <-tick.C:
		}
	}
}

// ready waits until the process is alive and then ready, like the probes.
func (r *running) ready() *running {
	r.t.Helper()
	for _, path := range []string{"/healthz", "/readyz"} {
		r.await(path, func() bool { s, _ := get("http://"+r.ports["metrics"]+path, ""); return s == http.StatusOK })
	}
	return r
}

// waits fails the test unless the process is alive, is not ready for the given reasons, and serves no page.
func (r *running) waits(reasons ...string) {
	r.t.Helper()
	probe := func(path string) (int, string) { return get("http://"+r.ports["metrics"]+path, "") }
	r.await("/healthz", func() bool { s, _ := probe("/healthz"); return s == http.StatusOK })
	r.await(strings.Join(reasons, " and "), func() bool {
		status, body := probe("/readyz?for=sites")
		if status == http.StatusOK {
			r.t.Fatalf("%s is ready", r.owner)
		}
		return !slices.ContainsFunc(reasons, func(reason string) bool { return !strings.Contains(body, reason) })
	})
	if status, body := get("http://"+r.ports["http"]+"/", ""); status != http.StatusServiceUnavailable {
		r.t.Errorf("%s serves a page: %d %.200s", r.owner, status, body)
	}
}

// runsAs fails the test unless all user ids of the process are uid.
func (r *running) runsAs(uid int) {
	r.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
	if want := fmt.Sprintf("Uid:\t%d\t%d\t%d\t%d\n", uid, uid, uid, uid); err != nil ||
		!strings.Contains(string(status), want) {
		r.t.Errorf("%s does not run as %d: %v", r.owner, uid, err)
	}
}

// page returns the response for a path and a host name. It fails the test unless the status is 200.
func (r *running) page(host, path string) string {
	r.t.Helper()
	status, body := get("http://"+r.ports["http"]+path, host)
	if status != http.StatusOK {
		r.t.Fatalf("%s%s: %d", host, path, status)
	}
	return body
}

// shows fails the test unless a page contains the text.
func (r *running) shows(path, want string) {
	r.t.Helper()
	if got := r.page("", path); !strings.Contains(got, want) {
		r.t.Errorf("%s does not contain %q", path, want)
	}
}

// metric returns the value of a metric without labels.
func (r *running) metric(name string) string {
	r.t.Helper()
	_, body := get("http://"+r.ports["metrics"]+"/metrics", "")
	for line := range strings.Lines(body) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// get returns the status and the body of a response; the status is 0 if there is none.
func get(url, host string) (int, string) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, err.Error()
	}
	req.Host = host
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err.Error()
	}
	return res.StatusCode, string(body)
}
