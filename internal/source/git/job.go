package git

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// job is one operation on one remote: the session for its connections and the environment for git.
type job struct {
	cache   *Cache
	remote  Remote
	origin  origin
	session *outbound.Session
	env     []string
	dropKey func() // deletes the file of the SSH key, if there is one
}

// begin checks the remote and opens a session. The caller ends the job.
func (c *Cache) begin(r Remote) (*job, error) {
	o, err := c.check(r)
	if err != nil {
		return nil, err
	}
	if c.opt.Git == "" {
		return nil, fault.New(fault.Unavailable, "git_missing", "git is not installed on this server.").
			WithHint("The operator must install git and restart the server.")
	}
	if err := c.prepare(); err != nil {
		return nil, err
	}
	j := &job{cache: c, remote: r, origin: o, dropKey: func() {}}
	keyFile := ""
	if r.Credential != nil {
		keyFile = r.Credential.SSHKeyFile
	}
	if r.Credential != nil && r.Credential.SSHKey != "" {
		if keyFile, j.dropKey, err = c.lendKey(r.Credential.SSHKey); err != nil {
			return nil, fmt.Errorf("write ssh key: %w", err)
		}
	}
	j.session = c.opt.Proxy.Open()
	j.env = j.environment(keyFile)
	return j, nil
}

func (j *job) end() {
	j.session.Close()
	j.dropKey()
}

// environment returns git's complete environment: nothing is inherited. Secrets are passed here because arguments
// are visible to every local user and files could outlive the process.
func (j *job) environment(keyFile string) []string {
	c := j.cache
	schemes := j.origin.scheme
	if schemes == "http" {
		schemes = "http:https"
	}
	env := []string{
		"PATH=" + filepath.Dir(c.opt.Git) + ":/usr/local/bin:/usr/bin:/bin",
		"HOME=" + c.home(), "SHELL=/bin/sh", "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + c.config(), "GIT_ATTR_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" +
			c.dir,
		"GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_PROTOCOL_FROM_USER=0",
		"GIT_ALLOW_PROTOCOL=" + schemes,
	}
	config := [][2]string{{"http.proxy", j.session.URL()}}
	if c.opt.CAFile != "" {
		config = append(config, [2]string{"http.sslCAInfo", c.opt.CAFile})
	}
	credential := Credential{}
	if j.remote.Credential != nil {
		credential = *j.remote.Credential
	}
	switch {
	case j.origin.scheme == "ssh":
		env = append(env, "GIT_SSH_VARIANT=ssh", "GIT_SSH_COMMAND="+c.sshCommand(j.session.Addr(), keyFile),
			outbound.PasswordEnv+"="+j.session.Password())
	case j.origin.base != "" && credential.Password != "":
		user := credential.User
		if user == "" {
			user = "x-token-auth" // with a token, code hosts ignore the name; only one requires this value
		}
		env = append(env, "LECTERN_GIT_USER="+user, "LECTERN_GIT_PASSWORD="+credential.Password)
		// The helper is bound to the origin, so that git does not send the password after a redirect to another origin.
		config = append(config, [2]string{"credential." + j.origin.base + ".helper", helper})
	}
	env = append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(config)))
	for i, kv := range config {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, kv[0]),
			fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, kv[1]))
	}
	return env
}

// helper is a credential helper that prints the credentials from the environment of this git process.
const helper = `!f() { test "$1" = get && printf 'username=%s\npassword=%s\n' "$LECTERN_GIT_USER" "$LECTERN_GIT_PASSWORD"; }; f`

// maxOutput limits git's output where a short answer is expected, in bytes.
const maxOutput = 1 << 20

// readOutput reads git's output. It fails if the output is too long; the caller must then kill git, which would
// block otherwise.
func readOutput(stdout io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(stdout, maxOutput+1))
	if err == nil && len(text) > maxOutput {
		err = fault.Newf(fault.Invalid, "git_output_too_large",
			"git was stopped because its output was larger than %d bytes.", maxOutput).
			WithHint("Look for an unusually large commit message or number of changed files.")
	}
	return string(text), err
}

// output runs git and returns its output, at most maxOutput bytes.
func (j *job) output(ctx context.Context, m *mirror, args ...string) (string, error) {
	var out string
	err := j.stream(ctx, m, func(_ io.WriteCloser, stdout io.Reader) (err error) {
		out, err = readOutput(stdout)
		return err
	}, args...)
	return out, err
}

// stream runs git in the mirror m (nil for none) while talk uses its standard input and output. If talk fails, git
// is killed.
func (j *job) stream(ctx context.Context, m *mirror, talk func(io.WriteCloser, io.Reader) error, args ...string) error {
	run, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(run, j.cache.opt.Git, args...)
	cmd.Dir, cmd.Env = j.cache.home(), j.env
	// A separate process group, so that git's child processes are killed with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	if m != nil {
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "GIT_DIR="+m.path)
		cmd.Env = append(cmd.Env, m.env...)
		// Child processes hold the lock too: if this process dies, no other process can use the mirror until its
		// git has exited.
		if m.file != nil {
			cmd.ExtraFiles = []*os.File{m.file}
		}
	}
	stderr := &tail{}
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("open pipe to git: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("open pipe from git: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start git: %w", err)
	}
	talkErr := talk(stdin, stdout)
	if talkErr != nil {
		stop()
	}
	_ = stdin.Close()
	waitErr := cmd.Wait()
	// If git failed first, talk only saw closed pipes; git's own message is more helpful.
	if talkErr != nil && ctx.Err() == nil && !strings.Contains(stderr.String(), "fatal:") {
		return talkErr
	}
	return j.explain(ctx, waitErr, stderr.String())
}

// tailBytes is how much of git's error output is kept.
const tailBytes = 16 << 10

// tail keeps the last tailBytes written to it, because remote servers can print without end.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.text) }
