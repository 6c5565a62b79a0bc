package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/dist"
	"github.com/lectern-docs/lectern/tools/release/internal/image"
)

// stranger is a user id that exists in no image, such as OpenShift assigns; the group is 0.
const stranger = "54321:0"

// container is an unpacked image and the folder that is mounted as its data.
type container struct {
	t          *testing.T
	root, data string
	env        []string
	entrypoint []string
}

// open unpacks an image of the release.
func open(t *testing.T, name string) *container {
	t.Helper()
	if layouts[name] == nil {
		layout, err := image.Parse(read(t, filepath.Join(built, dist.Image(name, version))))
		if err != nil {
			t.Fatal(err)
		}
		layouts[name] = layout
	}
	v := layouts[name].Variants[0]
	c := &container{t: t, root: filepath.Join(t.TempDir(), "root"), data: filepath.Join(t.TempDir(), "data"),
		env: v.Config.Config.Env, entrypoint: v.Config.Config.Entrypoint}
	for _, layer := range v.Layers {
		unpackLayer(t, layer, c.root)
	}
	// Container engines mount something at these places.
	for _, dir := range []string{c.root + "/dev", c.root + "/proc", c.data} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range devices {
		if err := os.WriteFile(c.root+"/dev/"+name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(c.data, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	return c
}

// layouts caches the parsed images by name; these tests do not run in parallel.
var layouts = map[string]*image.Read{}

var devices = []string{"null", "zero", "full", "random", "urandom"}

func unpackLayer(t *testing.T, layer []byte, root string) {
	t.Helper()
	for tr := tar.NewReader(bytes.NewReader(layer)); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(root, h.Name)
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(at, fs.FileMode(h.Mode)&0o777)
		case tar.TypeSymlink:
			err = os.Symlink(h.Linkname, at)
		case tar.TypeReg:
			var body []byte
			if body, err = io.ReadAll(tr); err == nil {
				err = os.WriteFile(at, body, fs.FileMode(h.Mode)&0o777)
			}
		default:
			t.Fatalf("%s is neither a file, a folder nor a link", h.Name)
		}
		if err == nil {
			err = os.Lchown(at, h.Uid, h.Gid)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// apart returns a command that runs a script in its own mount namespace.
func apart(ctx context.Context, script string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "unshare", append([]string{"--mount", "sh", "-ec", script, "sh"}, args...)...)
}

// enter is a script that makes the image's root read-only, with a writable /tmp and data folder, and executes the
// program as the user.
const enter = `root=$1 data=$2 user=$3; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
for name in null zero full random urandom; do mount --bind /dev/$name "$root/dev/$name"; done
mount --rbind /proc "$root/proc"
mount --bind "$data" "$root/var/lib/lectern"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -o remount,bind,ro "$root"
if touch "$root/here" 2>/dev/null; then echo the root can be written to >&2; exit 1; fi
exec env -i "$@"`

// command returns a command that runs a program in the container with the image's environment and additional variables.
func (c *container) command(ctx context.Context, user string, env []string, words ...string) *exec.Cmd {
	c.t.Helper()
	chroot, err := exec.LookPath("chroot")
	if err != nil {
		chroot = "/usr/sbin/chroot"
	}
	args := append([]string{c.root, c.data, user}, c.env...)
	args = append(append(args, env...), chroot, "--userspec="+user, "--groups=", c.root)
	return apart(ctx, enter, append(args, words...)...)
}

// lectern returns a command that runs the image's own program with the image's entrypoint.
func (c *container) lectern(ctx context.Context, user string, env []string, args ...string) *exec.Cmd {
	return c.command(ctx, user, env, append(append([]string{}, c.entrypoint...), args...)...)
}

// output runs a command until it exits and returns its standard output.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args[max(0, len(cmd.Args)-6):], " "), err, out, stderr.String())
	}
	return string(out)
}

// background starts a server and waits until it is ready. At the end of the test, the server gets one signal to stop
// and must then exit by itself, so the command must not use the test's context.
func background(t *testing.T, cmd *exec.Cmd, url string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stderr, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("the server did not stop cleanly: %v\n%s", err, stderr.String())
		}
		ended <- nil
	})
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for patience := time.After(2 * time.Minute); ; {
		if code, _ := get(url, "/readyz", ""); code == http.StatusOK {
			return
		}
		select {
		case err := <-ended:
			ended <- nil
			t.Fatalf("the server exited: %v\n%s", err, stderr.String())
		case <-patience:
			t.Fatalf("the server is not ready:\n%s", stderr.String())
		case <-tick.C:
		}
	}
}

// get requests a path from a host; code is 0 if there is no response.
func get(url, path, host string) (code int, body string) {
	req, err := http.NewRequest(http.MethodGet, url+path, nil)
	if err != nil {
		return 0, err.Error()
	}
	req.Host = host
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	b, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(b)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
