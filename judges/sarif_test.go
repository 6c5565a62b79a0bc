//go:build nightly

package judges

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// sarifExcuses lists the validator's remarks that we do not follow. All of them are notes: every error and every
// warning fails the test.
var sarifExcuses = map[string]string{
	"SARIF2002": "code hosts show message.text, and each message has names of its own in it",
	"SARIF2003": "the uploader states the commit; the command reads no repository",
	"SARIF2009": "our codes are words, the same everywhere, so that people need no list to read them",
	"SARIF2010": "a file that is missing or cannot be read has no line to quote",
	"SARIF2011": "nor has a file of one line any lines around it",
}

// sarifOffline is the only remark that depends on the machine: whether the schema's address is reachable.
const sarifOffline = "SARIF2006"

// sarifSites are the checked sites. Together, they need every excuse.
var sarifSites = map[string]map[string]string{
	"many findings": {
		"docs.json": `{
			"name": "Findings", "theme": "mint", "colors": {"primary": "red-ish"}, "colour": 1,
			"navigation": {"pages": ["index", "missing", "a b", "sub/größe"]},
		}`,
		"index.mdx": "---\ntitle: Home\n---\n\nA [link](/nowhere), an [anchor](#none), ![](pic.png).\n\n" +
			"<Crad>text</Crad>\n\n<Card title={1 +}>x</Card>\n\n<script>alert(1)</script>\n",
		"a b.mdx":       "---\ntitle: Space\n---\n\n<Card>\n\nnever closed 𝒳 [y](/gone)\n",
		"sub/größe.mdx": "---\ntitle: [broken\n---\nx\n",
		"latin.mdx":     "\xff\xfe",
		"long.mdx":      "---\ntitle: Long\n---\n\n[x](/a) [x](/a)\n",
	},
	"no page": {"notes.txt": "nothing"},
	"no finding": {
		"docs.json": `{"name": "Clean", "theme": "mint", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}}`,
		"index.mdx": "---\ntitle: Home\ndescription: All is well.\n---\n\nText.\n",
	},
}

func TestSARIFLogsPassValidatorWithGitHubRules(t *testing.T) {
	t.Parallel()
	judged(t, "SARIF log of lectern check", npmVersion(t, "@microsoft/sarif-multitool"))
	validator := sarifValidator(t)
	used := map[string]bool{}
	for name, files := range sarifSites {
		dir := t.TempDir()
		writeFiles(t, filepath.Join(dir, "docs"), files)
		if name == "many findings" {
			if err := os.Symlink("index.mdx", filepath.Join(dir, "docs", "link.mdx")); err != nil {
				t.Fatal(err)
			}
		}
		codes := checkWithSARIF(t, dir)
		if least := map[string]int{"many findings": 15, "no page": 2}[name]; len(codes) < least ||
			least == 0 && len(codes) > 0 {
			t.Errorf("%s: findings %v", name, codes)
		}
		for _, remark := range validateSARIF(t, validator, dir) {
			_, excused := sarifExcuses[remark.RuleID]
			used[remark.RuleID] = true
			if remark.RuleID != sarifOffline && !excused || remark.Level != "note" {
				t.Errorf("%s: %s %s %v", name, remark.Level, remark.RuleID, remark.Message)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(sarifExcuses)) {
		if !used[id] {
			t.Errorf("the excuse for %s is no longer needed", id)
		}
	}
}

// sarifValidator returns the path of an executable copy of the validator. npm unpacks it without execute permission,
// and the test must not change installed files.
func sarifValidator(t *testing.T) string {
	t.Helper()
	in, err := os.Open(filepath.Join("node_modules", "@microsoft", "sarif-multitool-linux", "Sarif.Multitool"))
	if err != nil {
		t.Fatalf("the judges are not installed, run `make judges`: %v", err)
	}
	defer in.Close()
	path := filepath.Join(t.TempDir(), "multitool")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o700)
	if err == nil {
		_, err = io.Copy(out, in)
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// checkWithSARIF checks the docs folder from its parent folder, as CI does, and lists the codes in the log.
func checkWithSARIF(t *testing.T, dir string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "check", "docs", "--sarif", "log.sarif")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1 means that the site has errors
		t.Fatalf("%v\n%s", err, out)
	}
	codes := map[string]bool{}
	for _, result := range sarifResults(t, filepath.Join(dir, "log.sarif")) {
		codes[result.RuleID] = true
	}
	return slices.Sorted(maps.Keys(codes))
}

// validateSARIF lists the validator's remarks, which the validator writes to a separate log.
func validateSARIF(t *testing.T, validator, dir string) []sarifResult {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), validator, "validate", "log.sarif", "--output", "remarks.sarif",
		"--rule-kind", "Sarif;Ghas", "--level", "Error;Warning;Note", "--log", "Inline")
	cmd.Dir = dir
	// The program contains no language tables and must not search this machine for them.
	cmd.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1",
		"DOTNET_BUNDLE_EXTRACT_BASE_DIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%v\n%s", err, out)
	}
	return sarifResults(t, filepath.Join(dir, "remarks.sarif"))
}

type sarifResult struct {
	RuleID  string
	Level   string
	Message struct {
		ID        string
		Arguments []string
	}
}

func sarifResults(t *testing.T, file string) []sarifResult {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct{ Results []sarifResult }
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 {
		t.Fatalf("%s has %d runs", file, len(log.Runs))
	}
	return log.Runs[0].Results
}
