package gitea

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestUsersAreSeparateAndStopRemovesEverything(t *testing.T) {
	server, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	owner, stranger := server.User(t), server.User(t)
	repo := server.Repository(t, owner, map[string]string{"docs/index.md": "# Hello\n"})
	server.Call(t, owner, http.MethodPatch, repo.Path(), map[string]any{"private": true}, nil)
	var file struct{ Path string }
	server.Call(t, owner, http.MethodGet, repo.Path()+"/contents/docs/index.md?ref=main", nil, &file)
	if file.Path != "docs/index.md" {
		t.Errorf("file %+v", file)
	}
	as := func(r *http.Request) { r.Header.Set("Authorization", "token "+stranger.Token) }
	if err := server.try(t.Context(), as, http.MethodGet, repo.Path(), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "404") {
		t.Errorf("a stranger: %v", err)
	}
	server.Stop()
	if _, err := os.Stat(server.folder); !os.IsNotExist(err) {
		t.Errorf("folder %s: %v", server.folder, err)
	}
	if response, err := http.Get(server.URL); err == nil {
		_ = response.Body.Close()
		t.Error("the server still responds")
	}
}

func TestGiteaVersionIsPinned(t *testing.T) {
	pinned, err := os.ReadFile("../../../../tools/testservers/gitea.sum")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(pinned), "code.gitea.io/gitea "+version+" h1:") {
		t.Errorf("tools/testservers/gitea.sum does not pin Gitea %s", version)
	}
}
