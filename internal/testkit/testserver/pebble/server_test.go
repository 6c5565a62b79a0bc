package pebble

import (
	"os"
	"strings"
	"testing"
)

func TestPebbleVersionIsPinned(t *testing.T) {
	module, err := os.ReadFile("../../../../tools/testservers/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(module), "github.com/letsencrypt/pebble/v2 "+version+" ") {
		t.Errorf("tools/testservers/go.mod does not pin Pebble %s", version)
	}
}
