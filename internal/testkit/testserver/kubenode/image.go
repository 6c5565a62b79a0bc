package kubenode

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// PauseImage is the name of the image whose only process holds the namespaces of a pod.
const PauseImage = "registry.invalid/pause:1"

// pauseProgram waits for a signal to stop. It reaps orphans in pods with a shared process namespace.
const pauseProgram = `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for s := range signals {
		if s != syscall.SIGCHLD {
			return
		}
		for pid := 1; pid > 0; {
			pid, _ = syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		}
	}
}
`

func (n *Node) containerd(ctx context.Context, args ...string) *exec.Cmd {
	return n.Command(ctx, "ctr", append([]string{"--address", n.socket(), "--namespace", "k8s.io"}, args...)...)
}

// Import imports the images of an archive into the node, so that no registry is needed. Archives without image
// names need names in more.
func (n *Node) Import(ctx context.Context, archive string, more ...string) error {
	args := append(append([]string{"images", "import"}, more...), archive)
	if out, err := n.containerd(ctx, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("import %s: %w: %s", archive, err, out)
	}
	return nil
}

// buildPause builds the pause image and returns its archive.
func (n *Node) buildPause() (string, error) {
	folder := n.path("pause")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	source, program := filepath.Join(folder, "main.go"), filepath.Join(folder, "pause")
	if err := os.WriteFile(source, []byte(pauseProgram), 0o600); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-o", program, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the pause program: %w: %s", err, out)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	archive := filepath.Join(folder, "pause.tar")
	data, err := dockerArchive(PauseImage, content)
	if err != nil {
		return "", err
	}
	return archive, os.WriteFile(archive, data, 0o600)
}

// dockerArchive returns an image with one program, in the format of `docker save`.
func dockerArchive(name string, program []byte) ([]byte, error) {
	layer, err := tarOf(map[string][]byte{"pause": program})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(layer)
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{"Entrypoint": []string{"/pause"}, "User": "65535:65535"},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + hex.EncodeToString(sum[:])}},
	})
	if err != nil {
		return nil, err
	}
	manifest, err := json.Marshal([]any{map[string]any{"Config": "config.json", "RepoTags": []string{name},
		"Layers": []string{"layer.tar"}}})
	if err != nil {
		return nil, err
	}
	return tarOf(map[string][]byte{"config.json": config, "layer.tar": layer, "manifest.json": manifest})
}

func tarOf(files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for name, data := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(data))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), w.Close()
}
