package layout

import (
	"strings"
	"testing"
)

func TestEveryPackageIsInALayer(t *testing.T) {
	for _, p := range loadPackages(t) {
		if _, ok := layerOf(p.path); !ok {
			t.Errorf("%s is in no layer: move it into a folder of layers_test.go", p.path)
		}
	}
}

func TestImportsPointToLowerLayers(t *testing.T) {
	for _, p := range loadPackages(t) {
		for _, f := range p.files {
			for _, target := range f.imports {
				to, ours := strings.CutPrefix(target, modulePath)
				if !ours {
					continue
				}
				if reason := refuse(p.path, to); reason != "" {
					t.Errorf("%s imports %s: %s", f.name, to, reason)
				}
			}
		}
	}
}

// refuse returns the reason why a package may not import another, or "".
func refuse(from, to string) string {
	importer, _ := layerOf(from)
	imported, _ := layerOf(to)
	switch {
	case importer == tests:
		return ""
	case imported == tests:
		return "only tests may"
	case from == "client":
		return "other programs import the public client, so it imports nothing of ours"
	case from == "cmd/lectern" && to != "internal/app/cli":
		return "main calls the command line and nothing else"
	case imported < importer || inOneFolder(from, to) && importer == imported:
		return ""
	case imported > importer:
		return "its layer is higher"
	case importer >= 0 && importer < len(layers) && layers[importer].free || listedSideways(from, to):
		return ""
	}
	return "it is in the same layer: list it in sideways, with the reason"
}

// inOneFolder reports whether two packages belong together, such as internal/ai/llm and internal/ai/llm/openai, or
// bench and bench/race.
func inOneFolder(a, b string) bool {
	return group(a) == group(b) || !strings.HasPrefix(a, "internal/") && strings.HasPrefix(b, a+"/")
}

// group returns the folder of a package within its layer: internal/ai/llm for internal/ai/llm/openai.
func group(path string) string {
	parts := strings.Split(path, "/")
	depth := 2
	if parts[0] == "internal" {
		depth = 3
	}
	return strings.Join(parts[:min(depth, len(parts))], "/")
}

func listedSideways(from, to string) bool { return sideways[[2]string{group(from), group(to)}] != "" }

func TestImportRulesAreEnforced(t *testing.T) {
	for _, pair := range [][2]string{
		{"internal/render", "internal/store"}, {"internal/render", "internal/domain/account"},
		{"internal/store/blob/disk", "internal/jobs/exportjob"}, {"internal/jobs/publish", "internal/serve/adminapi"},
		{"internal/store", "internal/testkit/testserver/postgres"}, {"client", "internal/foundation/fault"},
		{"cmd/lectern", "internal/app/daemon"}, {"web/theme", "internal/site"},
		{"internal/serve/adminapi", "internal/app/config"},
		{"internal/serve/adminapi", "internal/serve/signin"}, {"internal/source/git", "internal/source/forge/github"},
	} {
		if refuse(pair[0], pair[1]) == "" {
			t.Errorf("%s may import %s", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"internal/render", "internal/site"}, {"internal/source/forge", "internal/source/forge/github"},
		{"internal/serve/adminapi", "internal/store"},
		{"internal/app/daemon", "internal/app/config"}, {"internal/testkit/worktest", "internal/store"},
		{"cmd/lectern", "internal/app/cli"},
		{"bench", "client"}, {"bench", "bench/race"},
	} {
		if reason := refuse(pair[0], pair[1]); reason != "" {
			t.Errorf("%s may not import %s: %s", pair[0], pair[1], reason)
		}
	}
}

// TestNoExceptionIsStale fails for an exception that no package uses.
func TestNoExceptionIsStale(t *testing.T) {
	used, clocks := map[[2]string]bool{}, map[string]bool{}
	for _, p := range loadPackages(t) {
		for _, f := range p.files {
			for _, target := range f.imports {
				used[[2]string{group(p.path), group(strings.TrimPrefix(target, modulePath))}] = true
			}
			clocks[p.path] = clocks[p.path] || len(ownClock(f)) > 0
		}
	}
	for pair := range sideways {
		if !used[pair] {
			t.Errorf("%s does not import %s: delete the exception", pair[0], pair[1])
		}
	}
	for path := range clockReaders {
		if !clocks[path] {
			t.Errorf("%s reads neither clock nor randomness: delete the exception", path)
		}
	}
}
