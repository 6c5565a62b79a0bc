package exportjob

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/output"
)

type nowhere struct{}

func (nowhere) Put(context.Context, output.File) error { return nil }

// J5: each progress report of a real build advances the figures by at most the share of one page or file.
func TestProgressAdvancesWithEachPageAndFile(t *testing.T) {
	const pages, files = 200, 50
	src := fstest.MapFS{"docs.json": {
		Data: []byte(`{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["p000"]}}`)}}
	for i := range pages {
		src[fmt.Sprintf("p%03d.mdx", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "---\ntitle: Page %d\n---\nText.\n",
			i)}
	}
	for i := range files {
		src[fmt.Sprintf("f%03d.txt", i)] = &fstest.MapFile{Data: []byte("x")}
	}
	m := &meter{now: time.Now}
	m.fetched("c")
	last, stages := m.at, []export.Stage{m.at.Stage}
	_, err := build.Build(t.Context(), src,
		build.Options{Offers: capability.Offers{Search: true}, Manifest: true, Progress: func(p build.Progress) {
			m.build(p)
			if m.at.Stage != last.Stage {
				stages = append(stages, m.at.Stage)
			}
			most := float64(afterPages-afterScan)/pages + 0.02
			if m.at.Stage == export.StageAssets && last.Stage == export.StageAssets {
				most = float64(afterAssets-afterPages)/files + 0.02
			} else if m.at.Stage != last.Stage {
				most = afterScan - afterFetch + most // steps that are not counted
			}
			if step := m.at.Progress - last.Progress; step < 0 || step > most || m.at.PageCount < last.PageCount {
				t.Errorf("from %+v to %+v", last, m.at)
			}
			last = m.at
		}}, nowhere{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		m.stored(i+1, 2)
	}
	if m.at.Progress != afterPackaging || m.at.PageCount != pages || m.at.PageTotal != pages ||
		fmt.Sprint(stages) != "[scanning pages assets packaging]" {
		t.Errorf("ended at %+v after %v", m.at, stages)
	}
}
