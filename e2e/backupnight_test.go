//go:build nightly

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// D3: kill -9 of a backup leaves no partial file under its name, and kill -9 of a restore leaves no folder. Later runs
// are not affected.
func TestKilledBackupOrRestoreLeavesNoPartialResult(t *testing.T) {
	t.Parallel()
	c, _ := startWithSample(t, "docs.localhost")
	random := rand.New(rand.NewPCG(8, 3))
	folder := t.TempDir()
	for n := range 12 {
		file := filepath.Join(folder, fmt.Sprintf("b%d.tar.gz", n))
		p := spawn(t, nil, "backup", file, "--data", c.data)
		<-time.After(time.Duration(random.IntN(250)) * time.Millisecond) // a random point
		p.Kill()
		if _, err := os.Stat(file); err == nil {
			command(t, nil, "backup", "check", file)
		}
	}
	file := filepath.Join(folder, "whole.tar.gz")
	command(t, nil, "backup", file, "--data", c.data)
	if left, _ := filepath.Glob(filepath.Join(c.data, "backup-tmp-*")); len(left) > 0 {
		t.Errorf("copies left by killed backups: %v", left)
	}
	data := filepath.Join(folder, "restored")
	for range 12 {
		p := spawn(t, nil, "restore", file, "--data", data)
		<-time.After(time.Duration(random.IntN(200)) * time.Millisecond)
		p.Kill()
		if _, err := os.Stat(data); err == nil { // the restore finished before the kill
			if err := os.RemoveAll(data); err != nil {
				t.Fatal(err)
			}
		}
	}
	command(t, nil, "restore", file, "--data", data)
	left, err := filepath.Glob(data + "*")
	if err != nil || len(left) != 1 {
		t.Errorf("left beside the folder: %v %v", left, err)
	}
	serve(t, data, nil).Stop()
}

// A backup can be written to standard output and restored from standard input, for example through a program that
// encrypts it.
func TestBackupCanBePiped(t *testing.T) {
	t.Parallel()
	c, _ := startWithSample(t, "docs.localhost")
	data := filepath.Join(t.TempDir(), "restored")
	pipe := exec.CommandContext(t.Context(), "/bin/sh", "-c",
		`"$0" backup - --data "$1" --without-secret | cat | "$0" restore - --data "$2"`, binary, c.data, data)
	if out, err := pipe.CombinedOutput(); err != nil || !strings.Contains(string(out), "put its secret key into") {
		t.Fatalf("%v:\n%s", err, out)
	}
	secret, err := os.ReadFile(filepath.Join(c.data, "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	again := serve(t, data, []string{"LECTERN_SECRET_KEY=" + strings.TrimSpace(string(secret))})
	if _, err := again.client(c.key).GetOrganization(background()); err != nil {
		t.Error(err)
	}
}

// D3: sites, exports and an agent's proposal are backed up while another site is republished over and over, and
// restored elsewhere. Every page, bundle and proposal is the same, the keys work, the audit trail verifies, and the
// changing site is exactly one of its versions.
func TestRestoredServerMatchesTheOriginal(t *testing.T) {
	t.Parallel()
	c, tour := startWithSample(t, "tour.localhost")
	api := c.client(c.key)
	publishFolder(t, api, site(t, 30), "calm.localhost")
	hosts := []string{"calm.localhost", "tour.localhost", "docs.localhost"}
	c.Await("our own docs", func() bool {
		code, _ := page(t, c.process, "docs.localhost", "/")
		return code == http.StatusOK
	})
	jobs := []string{exportBundle(t, api, "calm.localhost"), exportBundle(t, api, "tour.localhost")}
	var job client.AgentJob
	c.call(http.MethodPost, "/v2/agent/"+tour+"/job", map[string]string{"prompt": "fix broken links"},
		http.StatusCreated, &job)
	job = c.waitForCompleted("/v2/agent/" + tour + "/job/" + job.ID)
	proposal := regexp.MustCompile(`pp_\w+`).FindString(*job.PRLink)
	if proposal == "" {
		t.Fatalf("no proposal in %s", *job.PRLink)
	}
	before := readState(t, c.process, c.key, hosts, jobs, tour, proposal)
	busy := keepPublishing(t, api, "busy.localhost")

	file := filepath.Join(t.TempDir(), "lectern.tar.gz")
	began := time.Now()
	command(t, nil, "backup", file, "--data", c.data)
	made := time.Since(began)
	busy.stop()
	if said := command(t, nil, "backup", "check", file); !strings.Contains(said, "It contains the secret key") {
		t.Error(said)
	}
	data := filepath.Join(t.TempDir(), "restored")
	began = time.Now()
	command(t, nil, "restore", file, "--data", data)
	again := serve(t, data, nil)
	t.Logf("backup %s, restore and start %s", made, time.Since(began))

	before.compare(t, readState(t, again, c.key, hosts, jobs, tour, proposal))
	check, err := again.client(c.key).CheckEvents(background())
	if err != nil || !check.Intact {
		t.Errorf("the audit trail: %+v %v", check, err)
	}
	busy.awaitUpdate(t, again, c.key)
	busy.checkOneVersion(t, again)
	exportBundle(t, again.client(c.key), "calm.localhost") // the server still works
	again.Stop()
}
