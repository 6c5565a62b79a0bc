package kubenode

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestVersionsArePinned(t *testing.T) {
	for file, want := range map[string]string{
		"../../../../tools/kubernetes/go.mod": "k8s.io/kubernetes " + version,
		"../../../../tools/charttools/go.mod": "helm.sh/helm/v4 " + helmVersion,
		"../../../../tools/coredns/go.mod":    "github.com/coredns/coredns " + dnsVersion,
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), want) {
			t.Errorf("%s does not pin %s", file, want)
		}
	}
}

// The versions of Kubernetes' own libraries are those published with the programs.
func TestLibraryVersionsMatchPrograms(t *testing.T) {
	data, err := os.ReadFile("../../../../tools/kubernetes/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	replaced := 0
	for line := range strings.Lines(string(data)) {
		if name, to, found := strings.Cut(strings.TrimSpace(line), " => "); found {
			replaced++
			if to != name+" v0"+strings.TrimPrefix(version, "v1") {
				t.Errorf("%s is replaced by %s", name, to)
			}
		}
	}
	if replaced < 30 {
		t.Errorf("%d libraries are replaced", replaced)
	}
}

func TestImageArchiveIsComplete(t *testing.T) {
	data, err := dockerArchive("registry.invalid/x:1", []byte("program"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
	}
	if slices.Sort(names); !slices.Equal(names, []string{"config.json", "layer.tar", "manifest.json"}) {
		t.Errorf("the archive contains %q", names)
	}
}
