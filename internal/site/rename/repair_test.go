package rename

import (
	"context"
	"strings"
	"testing"
)

func TestRepairUpdatesSiteFileAfterMove(t *testing.T) {
	src := garden()
	src["start.mdx"], src["later.mdx"] = src["guides/start.mdx"], src["guides/next.mdx"]
	delete(src, "guides/start.mdx")
	delete(src, "guides/next.mdx")
	src["docs.json"].Data = []byte(strings.Replace(string(src["docs.json"].Data), `"index",`, `"index", "later",`, 1))
	plan, err := Repair(context.Background(), src, []Move{{"guides/start", "start"}, {"guides/next", "later"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Edits) != 1 || len(plan.Moves) != 0 || plan.Edits[0].File != "docs.json" {
		t.Fatalf("plan %+v", plan)
	}
	after := string(plan.Edits[0].After)
	for _, want := range []string{
		`"pages": ["index", "later",  "start", "/guides/next"]`, // unchanged: the page has another entry
		`{ "source": "/was", "destination": "/start" }`, `{ "source": "/begin", "destination": "/later" }`,
		`{ "source": "/guides/start", "destination": "/start" }`,
		`{ "source": "/guides/next", "destination": "/later" }`,
		`// spaced`,
	} {
		if !strings.Contains(after, want) {
			t.Errorf("no %s in %s", want, after)
		}
	}
	again := apply(t, src, plan)
	if plan, err = Repair(context.Background(), again,
		[]Move{{"guides/start", "start"}, {"guides/next", "later"}}); err != nil || len(plan.Edits) != 0 {
		t.Errorf("a second repair changes %+v, %v", plan, err)
	}
}
