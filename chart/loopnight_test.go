//go:build nightly

package chart

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// In the CI loop, the script exports through a running platform, requests a link and upgrades the release. The new pod
// serves the exported pages, and the next round serves the next export.
func TestCILoopServesThePublishedBundle(t *testing.T) {
	t.Parallel()
	n := newPlatformNode(t)
	all := platformValues(t, object{"platform": object{"worker": object{"enabled": false}}})
	server := n.start(all, "server").ready()
	c, key := owner(t, n, all, server)
	folder := writeSite(t, "Round one.")
	openUp(t, folder)
	project := publish(t, c, folder)

	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "helm"), []byte(helmStandIn), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(tools, "lectern")); err != nil {
		t.Fatal(err)
	}
	round := func(label string) []object {
		cmd := exec.Command("./export-and-upgrade", readersHost, release, chartFolder, "--namespace", namespace,
			"--set", "security.openshift=on,staticExport.shutdown.delaySeconds=0")
		cmd.Env = []string{"PATH=" + tools + ":" + os.Getenv("PATH"), "HOME=" + tools, "TMPDIR=" + tools,
			"LECTERN_URL=http://" + server.ports["http"], "LECTERN_KEY=" + key,
			"REAL_HELM=" + cached(t, "bin/helm-"+helmVersion)}
		if label != "" {
			cmd.Env = append(cmd.Env, "LECTERN_LABEL="+label)
		}
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, errs.String())
		}
		if left, _ := filepath.Glob(filepath.Join(tools, "tmp.*")); len(left) > 0 {
			t.Errorf("the file with the link was not deleted: %v", left)
		}
		return parse(t, string(out))
	}
	const odd = `r1: "odd" \ label`
	first := round(odd)
	if got := pinnedVersion(t, first); got != odd {
		t.Errorf("the label became the version %q", got)
	}
	docs := n.start(first, "docs").ready()
	docs.shows("/", "Round one.")
	docs.stop()

	rewrite(t, filepath.Join(folder, "index.mdx"), "Round one.", "Round two.")
	republish(t, c, project.ProjectID)
	second := round("")
	jobs, err := c.ListExports(t.Context(), client.ListExportsParams{Limit: 1})
	if err != nil || len(jobs.Jobs) != 1 || jobs.Jobs[0].Version == nil {
		t.Fatalf("%+v %v", jobs, err)
	}
	if got := pinnedVersion(t, second); got != *jobs.Jobs[0].Version || got == "" {
		t.Errorf("without a label, the release is pinned to %q, but the export has %q", got, *jobs.Jobs[0].Version)
	}
	n.start(second, "docs").ready().shows("/", "Round two.")
}

// A link and a version reach the pod unchanged, whatever characters they contain.
func TestUnusualLinksAndVersionsReachPodUnchanged(t *testing.T) {
	for _, version := range []string{"2026.1", "1.10", "null", `a "quoted": {x} #1 \n`, "é – 日本", "{{ .Values }}",
		"-v --help"} {
		// a hostile link
		link := "https://s3.example.com/b/site.tar.gz?X-Amz-Credential=a%2Fb&X-Amz-Signature=" + "{{x}}'$y\"#"
		file := filepath.Join(t.TempDir(), "values.json")
		writeJSON(t, file, object{"staticExport": object{"enabled": true, "bundleUrl": link, "version": version}})
		all := rendering{more: []string{"--values", file}}.objects(t)
		p, err := podOf(all, "docs")
		if err != nil {
			t.Fatal(err)
		}
		secret, err := find(all, "Secret", "-bundle")
		if err != nil {
			t.Fatal(err)
		}
		if got := text(secret, "stringData", "bundleUrl"); got != link {
			t.Errorf("the link became %q", got)
		}
		if args := strings.Join(texts(list(p.containers()[0], "args")), "\x00"); !strings.Contains(args,
			"\x00--version="+version+"\x00") {
			t.Errorf("the version %q became %q", version, args)
		}
	}
}
