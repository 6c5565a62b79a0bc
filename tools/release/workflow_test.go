package main

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
	"github.com/lectern-docs/lectern/tools/release/internal/dist"
)

// pipeline reads the workflow and returns the text of each job by name.
func pipeline(t *testing.T) (text string, jobs map[string]string) {
	t.Helper()
	text = string(read(t, repo+"/.github/workflows/release.yml"))
	_, list, _ := strings.Cut(text, "\njobs:\n")
	names := regexp.MustCompile(`(?m)^  (\w+):\n`)
	at := names.FindAllStringSubmatchIndex(list, -1)
	jobs = map[string]string{}
	for i, m := range at {
		end := len(list)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		jobs[list[m[2]:m[3]]] = list[m[1]:end]
	}
	return text, jobs
}

// steps returns a job's steps.
func steps(job string) []string { return strings.Split(job, "\n      - name: ")[1:] }

// script returns the script of a step.
func script(step string) string {
	_, out, _ := strings.Cut(step, "\n        run: ")
	return strings.ReplaceAll(strings.TrimPrefix(out, "|\n"), "\n          ", "\n")
}

// S4: the pipeline has minimal permissions, runs no third-party actions, and passes the key only to the step that uses
// it.
func TestPipelineHasMinimalPermissions(t *testing.T) {
	text, jobs := pipeline(t)
	if uses := regexp.MustCompile(`(?m)^\s*(- )?uses:.*$`).FindAllString(text, -1); len(uses) > 0 {
		t.Errorf("it runs third-party actions: %q", uses)
	}
	if !strings.Contains(text, "\npermissions: {}\n") || strings.Contains(text, "pull_request") ||
		strings.Contains(text, "workflow_run") {
		t.Error("jobs have implicit permissions, or an outsider's change can start the pipeline")
	}
	if len(jobs) != 5 {
		t.Fatalf("it has %d jobs", len(jobs))
	}
	for name, job := range jobs {
		if strings.Contains(job, ": write") != (name == "release") {
			t.Errorf("%s may write, or cannot publish", name)
		}
		if (strings.Count(job, "secrets.") == 1 && strings.Contains(job, "environment: release")) != (name == "sign") ||
			name != "sign" && strings.Contains(job, "secrets.") {
			t.Errorf("%s has the key, or has it outside the environment that guards it", name)
		}
		if strings.Contains(job, "make ") == (name == "sign") {
			t.Errorf("%s builds although it should not, or vice versa", name)
		}
		// An expression in a script is code, and anyone who can name a branch or tag can write it.
		for _, step := range steps(job) {
			if strings.Contains(script(step), "${{") {
				t.Errorf("a script contains an expression: %q", step)
			}
			if strings.Contains(step, "secrets.") &&
				strings.TrimSpace(script(step)) != `"$RUNNER_TEMP/release" sign -dist papers` {
				t.Errorf("a step with access to the key runs: %q", script(step))
			}
		}
	}
	for name, needs := range map[string]string{"sign": "needs: [vulnerabilities, one, other]\n",
		"release": "needs: sign\n"} {
		if !strings.Contains(jobs[name], needs) {
			t.Errorf("%s does not wait for the jobs it needs", name)
		}
	}
	order := ""
	for _, step := range steps(jobs["sign"] + jobs["release"]) {
		word, _, _ := strings.Cut(step, "\n")
		order += strings.Fields(word)[0] + " "
	}
	if order != "Clone Compare Compile Sign Hand Clone Build Lay Verify Send Publish " {
		t.Errorf("the steps are %s", order)
	}
}

// S3: the pipeline signs and publishes nothing before the check for known vulnerabilities has passed, and no step
// continues after a failure.
func TestPipelineBlocksKnownVulnerabilities(t *testing.T) {
	text, jobs := pipeline(t)
	gate := steps(jobs["vulnerabilities"])
	if len(gate) != 2 || strings.TrimSpace(script(gate[1])) != "make vuln" {
		t.Errorf("the gate is %q", gate)
	}
	if !strings.Contains(jobs["sign"], "needs: [vulnerabilities, ") ||
		!strings.Contains(jobs["release"], "needs: sign\n") {
		t.Error("signing or publishing does not wait for the gate")
	}
	if strings.Contains(text, "continue-on-error") || strings.Contains(text, "if: ") {
		t.Error("a job or step may continue after a failure")
	}
}

// The pipeline's own scripts pass the unsigned files and the signatures from job to job. The result is the signed
// release; if two builds differ, nothing is signed.
func TestPipelineSignsOnMachineWithoutRelease(t *testing.T) {
	_, jobs := pipeline(t)
	one, signer, last := unsigned(t), t.TempDir(), unsigned(t)
	private, err := x509.MarshalPKCS8PrivateKey(testKey)
	if err != nil {
		t.Fatal(err)
	}
	given := runJob(t, jobs["one"], one, "", "Hand on")
	output := runJob(t, jobs["other"], last, "", "Tell the")
	env := []string{"PAPERS=" + given["papers"], "ONE=" + given["digest"], "OTHER=" + output["digest"],
		"RUNNER_TEMP=" + t.TempDir(),
		"LECTERN_RELEASE_KEY=" + string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))}
	if err := os.Symlink(absolute(t, repo), filepath.Join(signer, "lectern")); err != nil {
		t.Fatal(err)
	}
	runJob(t, jobs["sign"], signer, "", "Compare", env...)
	runJob(t, jobs["sign"], signer, "", "Compile", env...)
	runJob(t, jobs["sign"], signer, "", "Sign", env...)
	handed := runJob(t, jobs["sign"], filepath.Join(signer, "papers"), "", "Hand on", env...)
	runJob(t, jobs["release"], last, "", "Lay", "SIGNED="+handed["signed"])
	for _, name := range []string{dist.SumsFile, dist.SignatureFile, dist.Sealed(version)} {
		if !bytes.Equal(read(t, filepath.Join(last, name)), read(t, filepath.Join(built, name))) {
			t.Errorf("%s differs from that of a release that is built and signed in one step", name)
		}
	}
	env[2] = "OTHER=" + strings.Repeat("0", 64)
	runJob(t, jobs["sign"], t.TempDir(), "exit status 1", "Compare", env...)
	env[1], env[2] = "ONE=", "OTHER="
	runJob(t, jobs["sign"], t.TempDir(), "exit status 1", "Compare", env...)
}

// runJob runs a step's script as a runner does, and returns its outputs. failure is the expected error, or "" for
// success.
func runJob(t *testing.T, job, dir, failure, name string, env ...string) map[string]string {
	t.Helper()
	outputs := filepath.Join(t.TempDir(), "outputs")
	for _, step := range steps(job) {
		if !strings.HasPrefix(step, name) {
			continue
		}
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", script(step))
		cmd.Dir, cmd.Env = dir, append(append(cmd.Environ(), env...), "GITHUB_OUTPUT="+outputs)
		output, err := cmd.CombinedOutput()
		if (err == nil) != (failure == "") || err != nil && err.Error() != failure {
			t.Fatalf("%s: %v\n%s", name, err, output)
		}
		out := map[string]string{}
		if text, err := os.ReadFile(outputs); err == nil {
			for line := range strings.Lines(string(text)) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				out[key] = value
			}
		}
		return out
	}
	t.Fatalf("no step begins with %q", name)
	return nil
}

// unsigned returns a folder with the release's checksums and provenance before they were signed.
func unsigned(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	sums, err := attest.ParseSums(string(read(t, filepath.Join(built, dist.SumsFile))))
	if err != nil {
		t.Fatal(err)
	}
	delete(sums, dist.Sealed(version))
	put(t, filepath.Join(dir, dist.SumsFile), sums.String())
	put(t, filepath.Join(dir, dist.Provenance(version)),
		string(read(t, filepath.Join(built, dist.Provenance(version)))))
	return dir
}
