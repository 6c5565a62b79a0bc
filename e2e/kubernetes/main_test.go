//go:build kubernetes

package kubernetes

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/kubenode"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/s3"
)

var release = flag.String("release", "", "`folder` of the release to install, as make release builds it")

// All tests share the node, a database server and an object store in its network, and the installed release.
var (
	node      *kubenode.Node
	database  *postgres.Server
	objects   *s3.Server
	chartFile string // of the release
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(kubenode.Main(m, prepare))
}

// prepare loads the release's images and programs onto the node and starts the servers that an operator provides.
func prepare(n *kubenode.Node) (err error) {
	node = n
	ctx := context.Background()
	for _, name := range []string{"lectern", "lectern-platform"} {
		image, err := releaseFile(name + "-image_*.oci.tar")
		if err != nil {
			return err
		}
		if err := n.Import(ctx, image, "--base-name", "ghcr.io/lectern-docs/"+name); err != nil {
			return err
		}
	}
	if chartFile, err = releaseFile("lectern-*.tgz"); err != nil {
		return err
	}
	programs, err := releaseFile("lectern_*_linux_*.tar.gz")
	if err != nil {
		return err
	}
	unpack := exec.Command("tar", "-xzf", programs, "-C", filepath.Join(n.Folder, "bin"), "--strip-components=1",
		"--wildcards", "*/lectern")
	if out, err := unpack.CombinedOutput(); err != nil {
		return fmt.Errorf("unpack %s: %w: %s", programs, err, out)
	}
	if database, err = postgres.Start(ctx); err != nil {
		return err
	}
	objects, err = s3.Start(ctx)
	return err
}

// releaseFile returns the only file of the release whose name matches the pattern.
func releaseFile(pattern string) (string, error) {
	files, err := filepath.Glob(filepath.Join(*release, pattern))
	if err != nil {
		return "", err
	}
	if len(files) != 1 || *release == "" {
		return "", fmt.Errorf("%d files %s in the release %q: run make test-kubernetes, which builds one", len(files),
			pattern, *release)
	}
	return files[0], nil
}

// addressForPods returns the address at which pods reach a test server.
func addressForPods(address string) string {
	return strings.Replace(address, "127.0.0.1", kubenode.Address, 1)
}
