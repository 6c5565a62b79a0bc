package s3

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestWrongCredentialsAreRefusedAndStopRemovesEverything(t *testing.T) {
	server, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	url := server.Endpoint + "/" + server.Bucket(t)
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("unsigned request: %s", response.Status)
	}
	server.Stop()
	if _, err := os.Stat(server.folder); !os.IsNotExist(err) {
		t.Errorf("folder %s: %v", server.folder, err)
	}
	if response, err := http.Get(url); err == nil {
		_ = response.Body.Close()
		t.Error("the server still responds")
	}
}

func TestVersitygwVersionIsPinned(t *testing.T) {
	module, err := os.ReadFile("../../../../tools/testservers/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(module), "github.com/versity/versitygw "+version+" ") {
		t.Errorf("tools/testservers/go.mod does not pin versitygw %s", version)
	}
}
