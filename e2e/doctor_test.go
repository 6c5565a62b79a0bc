package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// diagnosis is the result of lectern doctor.
type diagnosis struct {
	code  int
	text  string
	found []struct{ Check, Level, Text, Do string }
}

// diagnose runs lectern doctor with secrets that it must not print.
func diagnose(t *testing.T, env []string, args ...string) (d diagnosis) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, append([]string{"doctor", "--json"}, args...)...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LECTERN_METRICS_LISTEN=off"}, env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	d.code, d.text = cmd.ProcessState.ExitCode(), string(out)
	for line := range strings.Lines(d.text) {
		var f struct{ Check, Level, Text, Do string }
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		d.found = append(d.found, f)
		if f.Level == "fail" && f.Do == "" {
			t.Errorf("a finding without instructions: %s", line)
		}
	}
	for _, secret := range env {
		name, value, _ := strings.Cut(secret, "=")
		if strings.Contains(name, "SECRET") && strings.Contains(d.text, value) {
			t.Errorf("%s was printed", name)
		}
	}
	if strings.Contains(d.text, "hush-hush") {
		t.Errorf("a password was printed: %s", d.text)
	}
	return d
}

// failed lists the checks that failed.
func (d diagnosis) failed() (list []string) {
	for _, f := range d.found {
		if f.Level == "fail" {
			list = append(list, f.Check)
		}
	}
	return list
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}
