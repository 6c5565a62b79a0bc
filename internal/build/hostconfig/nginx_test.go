package hostconfig

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

// A real nginx reads the rules and responds accordingly. It listens on a Unix socket, so the test needs no free port.
func TestNginxFollowsGeneratedRules(t *testing.T) {
	dir, run := tree(t), folder(t)
	socket := filepath.Join(run, "s")
	config := filepath.Join(run, "nginx.conf")
	text := fmt.Sprintf(`daemon off; master_process off; worker_processes 1; pid %[1]s/pid; error_log stderr notice;
events { worker_connections 64; }
http {
  access_log off; client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/c;
  server { listen unix:%[2]s; server_name docs.example.com; root "%[3]s"; include "%[3]s/%[4]s/nginx.conf"; }
}
`, run, socket, dir, Folder)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	start(t, run, " nginx/", "nginx", "-c", config, "-p", run)
	judge(t, func(ctx context.Context) (net.Conn, error) { return (&net.Dialer{}).DialContext(ctx, "unix", socket) })
}

// start runs a server until the test ends. It returns when the server has printed that it is ready.
func start(t *testing.T, folder, ready string, program ...string) {
	t.Helper()
	found, err := exec.LookPath(program[0])
	if err != nil { // /usr/sbin may not be in PATH
		found = filepath.Join("/usr/sbin", program[0])
	}
	server, err := testserver.Run(testserver.Command{Folder: folder, Signal: "TERM",
		Args: append([]string{found}, program[1:]...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Stop()
		if t.Failed() {
			t.Logf("the server said: %s", server.Output())
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := server.Await(ctx, ready); err != nil {
		t.Fatal(err)
	}
}

// folder returns a new folder for a server. Its path is short, because socket paths must be short.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
