package command_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/command"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// TestMain also runs the sandbox's stages and a program that tries to reach the network.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == sandbox.Command {
		os.Exit(sandbox.Enter(os.Args[2]))
	}
	if len(os.Args) > 2 && os.Args[1] == "get" {
		os.Exit(get(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// get fetches addresses through the proxy from its environment variables and prints the results. The proxy is set
// explicitly, because http.DefaultClient bypasses it for loopback addresses.
func get(addresses []string) int {
	proxy, err := url.Parse(os.Getenv("HTTP_PROXY"))
	if err != nil {
		return 1
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	for _, a := range addresses {
		resp, err := client.Get(a)
		if err != nil {
			fmt.Println("no way")
			continue
		}
		line, _ := bufio.NewReader(resp.Body).ReadString('\n')
		fmt.Println(resp.StatusCode, strings.TrimSpace(line))
	}
	return 0
}

func runners(t *testing.T) map[string]command.Runner {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]command.Runner{"sandbox": sandbox.New(sandbox.Options{Exe: exe, Args: []string{sandbox.Command}}),
		"bare": sandbox.Bare{}}
}

func eachRunner(t *testing.T, test func(t *testing.T, r command.Runner, dir string)) {
	t.Helper()
	t.Setenv("CANARY", "canary-env")
	t.Setenv("LECTERN_TOKEN", "canary-git")
	for name, r := range runners(t) {
		t.Run(name, func(t *testing.T) { test(t, r, t.TempDir()) })
	}
}

func open(t *testing.T, r command.Runner, script string, env ...string) llm.Program {
	t.Helper()
	p, err := command.New(command.Options{Words: []string{"sh", "-c", script}, Env: env, Runner: r})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// G2: a program gets the prompt, its folder and the listed variables; it gets no Git credentials.
func TestProgramChangesItsFolder(t *testing.T) {
	eachRunner(t, func(t *testing.T, r command.Runner, dir string) {
		if err := os.WriteFile(filepath.Join(dir, "page.mdx"), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := open(t, r,
			`cat > prompt.txt; echo new > page.mdx; env > env.txt; echo thinking >&2; printf '\033[31mChanged\033[0m one page.\n\nMore at the end'`, "NAME=value")
		var heard []string
		said, err := p.Work(t.Context(), dir, "Do ü things\nthen stop",
			func(line string) { heard = append(heard, line) })
		if err != nil {
			t.Fatal(err)
		}
		if said != "Changed one page.\n\nMore at the end" {
			t.Errorf("said %q", said)
		}
		all := strings.Join(heard, "|")
		if !strings.Contains(all, "thinking") || !strings.Contains(all, "Changed one page.") || len(heard) != 3 {
			t.Errorf("heard %q", heard)
		}
		for name, want := range map[string]string{"prompt.txt": "Do ü things\nthen stop", "page.mdx": "new\n"} {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		env, err := os.ReadFile(filepath.Join(dir, "env.txt"))
		if err != nil || strings.Contains(string(env), "canary") || !strings.Contains(string(env), "NAME=value\n") {
			t.Errorf("environment %s, %v", env, err)
		}
	})
}

func TestFailuresAreFaults(t *testing.T) {
	eachRunner(t, func(t *testing.T, r command.Runner, dir string) {
		_, err := open(t, r, "echo out; echo why not >&2; exit 3").Work(t.Context(), dir, "", nil)
		if !fault.HasCode(err, "program_failed") || !strings.Contains(err.Error(), "why not") ||
			!strings.Contains(fault.Public(err), "code 3") {
			t.Errorf("exit 3: %v", err)
		}
		if _, err := open(t, r, "kill -9 $$").Work(t.Context(), dir, "", nil); !fault.HasCode(err, "program_failed") ||
			!strings.Contains(err.Error(), "137") {
			t.Errorf("killed: %v", err)
		}
		gone, err := command.New(command.Options{Words: []string{"/no/such/program"}, Runner: r})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := gone.Work(t.Context(), dir, "", nil); !fault.HasCode(err, "program_not_found") {
			t.Errorf("missing program: %v", err)
		}
		slow, err := command.New(command.Options{Words: []string{"sleep", "1000"}, Runner: r,
			Limits: sandbox.Limits{Wall: 200 * time.Millisecond}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := slow.Work(t.Context(), dir, "", nil); !fault.HasCode(err, "program_limit") {
			t.Errorf("slow: %v", err)
		}
	})
}

// J8: when the context ends, the program and all processes that it started are killed.
func TestCancelledContextEndsProgram(t *testing.T) {
	eachRunner(t, func(t *testing.T, r command.Runner, dir string) {
		ctx, cancel := context.WithCancelCause(t.Context())
		mine := errors.New("mine")
		_, err := open(t, r, "sleep 1000 & echo up; sleep 1000").Work(ctx, dir, "", func(string) { cancel(mine) })
		if !errors.Is(err, mine) {
			t.Errorf("error %v", err)
		}
	})
}

// The output of a verbose program is truncated; the program still completes its work.
func TestOutputIsBounded(t *testing.T) {
	eachRunner(t, func(t *testing.T, r command.Runner, dir string) {
		lines, longest := 0, 0
		said,
			err := open(t, r,
			`yes | head -c 20000000 | tr -d '\n'; echo; yes word | head -30000; printf 'the \377end'`).
			Work(t.Context(), dir, "", func(line string) {
				lines, longest = lines+1, max(longest, len(line))
			})
		if err != nil || len(said) > 64<<10 || !strings.HasSuffix(said, "word\nthe �end") || lines > 20_000 ||
			longest > 4<<10 {
			t.Errorf("%d bytes said, %d lines, the longest of %d bytes, %v", len(said), lines, longest, err)
		}
	})
}

func TestCredentialsAreRefused(t *testing.T) {
	for _, env := range []string{"LECTERN_ANTHROPIC_KEY=x", "GITHUB_TOKEN=x", "gh_token=x", "SSH_AUTH_SOCK=/x",
		"GIT_CONFIG_VALUE_0=x", "NOVALUE", "=x"} {
		if _, err := command.New(command.Options{Words: []string{"x"}, Env: []string{env}}); !fault.HasCode(err,
			"invalid_field") {
			t.Errorf("%s: %v", env, err)
		}
	}
	if _, err := command.New(command.Options{}); !fault.HasCode(err, "missing_field") {
		t.Errorf("no name: %v", err)
	}
}

// G1: with network access, a program can use only the guarded proxy; without it, the program has no network.
func TestNetworkAccessGoesThroughTheProxy(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, "hello")
	}))
	defer server.Close()
	for _, c := range []struct {
		allow []string
		want  string
	}{{[]string{"127.0.0.1"}, "200 hello"}, {nil, "403 address_not_allowed"}} {
		guard, err := outbound.NewGuard(c.allow)
		if err != nil {
			t.Fatal(err)
		}
		way := func(ctx context.Context) (command.Way, error) {
			proxy, err := guard.Proxy(ctx)
			if err != nil {
				return command.Way{}, err
			}
			s := proxy.Open()
			return command.Way{User: url.UserPassword("lectern", s.Password()),
				Serve: func(l net.Listener) { _ = proxy.Serve(l) }, Close: func() { s.Close(); _ = proxy.Close() }}, nil
		}
		p, err := command.New(command.Options{Words: []string{"/run/lectern", "get", server.URL}, Network: way,
			Runner: runners(t)["sandbox"]})
		if err != nil {
			t.Fatal(err)
		}
		if said, err := p.Work(t.Context(), t.TempDir(), "", nil); err != nil || said != c.want {
			t.Errorf("allowed %v: %q, %v", c.allow, said, err)
		}
	}
	p, err := command.New(command.Options{Words: []string{"/run/lectern", "get", server.URL},
		Runner: runners(t)["sandbox"]})
	if err != nil {
		t.Fatal(err)
	}
	if said, err := p.Work(t.Context(), t.TempDir(), "", nil); err != nil || said != "no way" {
		t.Errorf("without network: %q, %v", said, err)
	}
}

// G1: a command line from a model runs in the sandbox, and the model reads its output.
func TestShellReportsResultToModel(t *testing.T) {
	t.Setenv("CANARY", "canary-env")
	box, dir := runners(t)["sandbox"], t.TempDir()
	for line, want := range map[string]string{
		"echo hi; printf 'no\\033[1m end'":         "hi\nno end",
		"echo why >&2; exit 4":                     "why\n\n[exit code 4]",
		"no-such-program 2>/dev/null":              "\n[exit code 127]",
		"env | grep canary; cat /etc/shadow 2>&-;": "\n[exit code 1]",
		"sleep 1000":                         "\n[stopped: it exceeded its limit of time]",
		"yes | head -c 100000 | tr -d '\\n'": strings.Repeat("y", 32<<10) + "\n[truncated]",
	} {
		got, err := command.Shell(t.Context(), box, dir, line, sandbox.Limits{Wall: 2 * time.Second})
		if err != nil || got != want {
			t.Errorf("%s: %.100q, %v", line, got, err)
		}
	}
	if _, err := command.Shell(t.Context(), sandbox.New(sandbox.Options{}), dir, "true",
		sandbox.Limits{}); !fault.HasCode(err, "sandbox_unavailable") {
		t.Errorf("without a sandbox: %v", err)
	}
}
