package evaluation

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
)

var update = flag.Bool("update", false, "record the counts of grades")

func noon() time.Time { return time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC) }

func newSuite(t *testing.T) *Suite {
	t.Helper()
	suite, err := NewSuite(noon)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = suite.Close() })
	return suite
}

// phrasingSets lists the sets of phrasings with their sizes. Individual failures in the sets with "apart" in their
// names are never printed, so that nobody tunes the rules to them.
var phrasingSets = []struct {
	name string
	size int
}{{"tuned", 100}, {"apart", 100}, {"strangers", 50}, {"strangers-apart", 50}}

// The rule-based agent completes or asks about as many phrasings as recorded, and never claims work that it did not do.
func TestPhrasingResultsDoNotRegress(t *testing.T) {
	suite, counts := newSuite(t), map[string]map[Grade]int{}
	model := agent.Engine{Model: rules.Model{}}
	for _, set := range phrasingSets {
		tasks, err := Phrasings(set.name)
		if err != nil || len(tasks) != set.size {
			t.Fatalf("%s has %d phrasings, %v", set.name, len(tasks), err)
		}
		counts[set.name] = map[Grade]int{}
		for _, task := range tasks {
			r, err := suite.Run(context.Background(), task, model)
			if err != nil {
				t.Fatal(err)
			}
			counts[set.name][r.Grade]++
			if !strings.HasSuffix(set.name, "apart") && testing.Verbose() && r.Grade != Done && r.Grade != Proposed && r.Grade != Asked && r.Grade != Declined {
				t.Logf("%d: %s (%s): %s: %v %v", task.Line, r.Grade, r.Outcome, task.Request, r.Failed, r.Err)
			}
		}
		t.Logf("%s: %v", set.name, counts[set.name])
		if n := counts[set.name][Claimed]; n > 0 {
			t.Errorf("%s: %d results claim what was not done", set.name, n)
		}
	}
	compareCounts(t, "phrasings/counts.json", counts)
}

// compareCounts fails if there are fewer good results than a file records. With -update it writes the file.
func compareCounts(t *testing.T, file string, counts map[string]map[Grade]int) {
	t.Helper()
	if *update {
		data, err := json.MarshalIndent(counts, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var recorded map[string]map[Grade]int
	if err := json.Unmarshal(data, &recorded); err != nil {
		t.Fatal(err)
	}
	for part, was := range recorded {
		is := counts[part]
		done := func(c map[Grade]int) int { return c[Done] + c[Proposed] }
		if is[Done] < was[Done] || done(is) < done(was) || done(is)+is[Asked] < done(was)+was[Asked] ||
			is[Declined] < was[Declined] || is[Partly] > was[Partly] {
			t.Errorf("%s: %v, recorded are %v; run with -update if this is intended", part, is, was)
		}
	}
}
