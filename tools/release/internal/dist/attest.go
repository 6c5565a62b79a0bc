package dist

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
)

// attest writes the provenance and the checksums.
func (b *building) attest(context.Context) error {
	p, err := b.provenance()
	if err != nil {
		return err
	}
	statement, err := attest.NewStatement(maps.Clone(b.sums), p).Bytes()
	if err != nil {
		return err
	}
	if err := b.add(Provenance(b.Source.Number()), statement); err != nil {
		return err
	}
	return b.add(SumsFile, []byte(b.sums.String()))
}

const buildType = Repository + "/tree/main/tools/release#v1"

func (b *building) provenance() (attest.Provenance, error) {
	source := attest.Material{URI: "git+" + Repository, Digest: map[string]string{"gitCommit": b.Source.Commit}}
	external := map[string]any{"repository": Repository, "commit": b.Source.Commit, "version": b.Source.Version}
	if b.Source.Dirty { // no commit contains these files, so the statement names none
		source.Digest = nil
		delete(external, "commit")
		external[attest.Dirty] = true
	}
	materials := []attest.Material{source}
	for _, name := range []string{"go.sum", "web/npm/package-lock.json", "packaging/debian.lock"} {
		body, err := os.ReadFile(filepath.Join(b.Source.Root, filepath.FromSlash(name)))
		if err != nil {
			return attest.Provenance{}, fmt.Errorf("read lock files: %w", err)
		}
		materials = append(materials, attest.Material{URI: "git+" + Repository + "#" + name,
			Digest: map[string]string{"sha256": attest.Of(map[string][]byte{name: body})[name]}})
	}
	materials = append(materials, attest.Material{URI: "pkg:golang/toolchain@" + strings.TrimPrefix(b.Source.Go, "go")})
	if len(b.linux) > 0 {
		for _, p := range b.Lock.Packages {
			if _, built := b.linux[p.Arch]; built {
				materials = append(materials, attest.Material{URI: "http://deb.debian.org/" + p.Path,
					Digest: map[string]string{"sha256": p.SHA256}})
			}
		}
	}
	var platforms []string
	environment := map[string][]string{}
	for _, p := range b.Platforms {
		platforms = append(platforms, p.String())
		environment[p.String()] = b.Source.Environment(p)
	}
	return attest.Provenance{
		Definition: attest.Definition{
			BuildType: buildType, Resolved: materials,
			External: external,
			Internal: map[string]any{"platforms": platforms,
				"arguments": append([]string{"go"}, b.Source.Arguments()...), "environment": environment},
		},
		Run: attest.Run{Builder: attest.Builder{ID: b.Builder}},
	}, nil
}
