package dist

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

var (
	chartVersion = regexp.MustCompile(`(?m)^version: .*$`)
	appVersion   = regexp.MustCompile(`(?m)^appVersion: .*$`)
)

const chartFolder = "chart/lectern/"

// chart packs the chart with the release's version, like helm package but with fixed times. It includes only files
// tracked by git, not notes or a values file with passwords that happen to be in the folder.
func (b *building) chart(ctx context.Context) error {
	names, err := b.Source.Tracked(ctx, chartFolder)
	if err != nil {
		return fmt.Errorf("list chart: %w", err)
	}
	if len(names) == 0 {
		return errors.New("list chart: git tracks no files in " + chartFolder)
	}
	var files []tree.File
	for _, name := range names {
		if path.Base(name) == ".helmignore" {
			continue
		}
		body, err := os.ReadFile(filepath.Join(b.Source.Root, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("read chart: %w", err)
		}
		files = append(files, tree.File{Name: strings.TrimPrefix(name, chartFolder), Mode: 0o644, Body: body})
	}
	for i, f := range files {
		if f.Name != "Chart.yaml" {
			continue
		}
		if !chartVersion.Match(f.Body) || !appVersion.Match(f.Body) {
			return errors.New("pack chart: Chart.yaml has no version or appVersion")
		}
		body := chartVersion.ReplaceAllLiteral(f.Body, []byte("version: "+b.Source.Number()))
		files[i].Body = appVersion.ReplaceAllLiteral(body, []byte(`appVersion: "`+b.Source.Number()+`"`))
	}
	packed, err := tree.TarGz("lectern/", files, b.Source.Time)
	if err != nil {
		return fmt.Errorf("pack chart: %w", err)
	}
	return b.add(Chart(b.Source.Number()), packed)
}
