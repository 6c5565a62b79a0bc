package doctor

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func worst(found []Finding) Level {
	level := OK
	for _, f := range found {
		if f.Level == Fail || f.Level == Warn && level == OK {
			level = f.Level
		}
	}
	return level
}

func TestMismatchedAddressesAreReported(t *testing.T) {
	for name, c := range map[string]struct {
		look Addresses
		want Level
	}{
		"a laptop": {Addresses{"127.0.0.1:8080", "", "preview.localhost"}, OK},
		"a server behind a proxy": {Addresses{"0.0.0.0:8080", "https://lectern.example.com", "preview.example.org"},
			OK},
		"open, without an address": {Addresses{"0.0.0.0:8080", "", "preview.example.org"}, Warn},
		"plain http": {Addresses{"0.0.0.0:8080", "http://lectern.example.com", "preview.example.org"},
			Warn},
		"previews that lead nowhere": {Addresses{"0.0.0.0:8080", "https://lectern.example.com", "preview.localhost"},
			Warn},
		"dashboard below previews":    {Addresses{"0.0.0.0:8080", "https://lectern.example.com", "example.com"}, Fail},
		"dashboard is where previews": {Addresses{"0.0.0.0:8080", "https://example.com", "example.com"}, Fail},
	} {
		if found := c.look.Look(t.Context()); worst(found) != c.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestPortCheckDistinguishesFreeOwnAndTakenPorts(t *testing.T) {
	ours := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("lectern_build_info 1\n"))
	}))
	defer ours.Close()
	theirs := httptest.NewServer(http.NotFoundHandler())
	defer theirs.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	for _, c := range []struct {
		address, says string
		want          Level
	}{
		{address, "is free", OK},
		{strings.TrimPrefix(ours.URL, "http://"), "A Lectern server listens", OK},
		{strings.TrimPrefix(theirs.URL, "http://"), "Another program listens", Fail},
		{"203.0.113.1:80", "Cannot listen", Fail}, // not an address of this machine
	} {
		found := Port{Setting: "listen", Address: c.address, Client: http.DefaultClient}.Look(t.Context())
		if worst(found) != c.want || !strings.Contains(found[0].Text, c.says) {
			t.Errorf("%s: %+v", c.address, found)
		}
	}
}

func TestFolderCheckChangesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "secret.key"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := (Folder{Path: dir, Secret: true, Database: true}).Look(t.Context()); worst(found) == Fail {
		t.Errorf("%+v", found)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
	missing := filepath.Join(dir, "data")
	if found := (Folder{Path: missing, Secret: true, Database: true}).Look(t.Context()); worst(found) != Warn {
		t.Errorf("%+v", found)
	}
	if _, err := os.Stat(missing); !os.IsNotExist(err) {
		t.Errorf("the folder was created: %v", err)
	}
}

func TestSecretInURLIsNotPrinted(t *testing.T) {
	found := Endpoint{Setting: "otel.endpoint", URL: "http://user:hush-hush@127.0.0.1:1/token",
		Client: http.DefaultClient}.Look(t.Context())
	if worst(found) != Fail || strings.Contains(found[0].Text+found[0].Do, "hush-hush") ||
		strings.Contains(found[0].Text, "token") {
		t.Errorf("%+v", found)
	}
}

func TestOnlyLongChecksHaveNoTimeLimit(t *testing.T) {
	limited := map[bool]bool{}
	for _, long := range []bool{false, true} {
		Run(t.Context(), []Check{{Name: "one", Long: long, Run: func(ctx context.Context) []Finding {
			_, limited[long] = ctx.Deadline()
			return nil
		}}}, func(Finding) {})
	}
	if !limited[false] || limited[true] {
		t.Errorf("time limit by Long: %v", limited)
	}
}

func TestFailedCheckDoesNotStopTheOthers(t *testing.T) {
	var reported []string
	failed := Run(t.Context(), []Check{
		{Name: "one", Run: func(context.Context) []Finding { return []Finding{failure("do", "bad")} }},
		{Name: "two", Run: func(context.Context) []Finding { return []Finding{fine("good")} }},
	}, func(f Finding) { reported = append(reported, f.Check+" "+string(f.Level)) })
	if !failed || strings.Join(reported, ", ") != "one fail, two ok" {
		t.Errorf("%v %v", failed, reported)
	}
}
