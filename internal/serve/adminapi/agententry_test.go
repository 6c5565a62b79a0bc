package adminapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/store"
)

type entryPart struct {
	Entries []struct {
		Sequence   int64
		Kind, Text string
	}
	Next *int64
}

func (w *world) entries(t testing.TB, x tenant, jobID string, after int64) (entryPart, int) {
	t.Helper()
	got := w.do(t, agentAsk(x, "GET", fmt.Sprint("/job/", jobID, "/entries?after=", after), "")).want(t, 200)
	return read[entryPart](t, got), len(got.body)
}

func TestAgentTranscriptIsReadInPages(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	got, _ := w.entries(t, x, x.agentDone.ID, 0)
	if len(got.Entries) != 4 || got.Next != nil || got.Entries[0].Kind != "prompt" || got.Entries[3].Kind != "note" {
		t.Fatalf("%+v", got)
	}
	if got, _ = w.entries(t, x, x.agentDone.ID, 3); len(got.Entries) != 1 || got.Next != nil {
		t.Errorf("%+v", got)
	}
	if got, _ = w.entries(t, x, x.agentDone.ID, 1<<60); len(got.Entries) != 0 || got.Next != nil {
		t.Errorf("%+v", got)
	}
	x.agentJob.ID = w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"Fix it."}`)).want(t, 201).object(t)["id"].(string)
	h := w.hold(t, x.agentJob.ID)
	_, err := w.store.StartAgentJob(t.Context(), h, lease)
	must(t, err)
	say := func(texts ...string) {
		t.Helper()
		var list []agentjob.Entry
		for _, s := range texts {
			list = append(list, agentjob.Entry{Kind: agentjob.Note, Code: "said", Text: s})
		}
		_, err := w.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{}, list...)
		must(t, err)
	}
	say(strings.Split(strings.Repeat("a line\n", 449), "\n")[:449]...) // 450 with the prompt
	var sizes []int
	for after := int64(0); ; {
		part, _ := w.entries(t, x, x.agentJob.ID, after)
		for _, e := range part.Entries {
			if after++; e.Sequence != after {
				t.Fatalf("entry %d, want %d", e.Sequence, after)
			}
		}
		sizes = append(sizes, len(part.Entries))
		if part.Next == nil {
			break
		}
		if *part.Next != after {
			t.Fatalf("next is %d after entry %d", *part.Next, after)
		}
	}
	if fmt.Sprint(sizes) != "[200 200 50]" {
		t.Errorf("%v", sizes)
	}
	big := strings.Repeat("x", 900<<10)
	say(big, big, big, strings.Repeat("y", 3<<20), "last")
	sizes = nil
	for after := int64(450); ; {
		part, bytes := w.entries(t, x, x.agentJob.ID, after)
		sizes = append(sizes, len(part.Entries))
		if len(part.Entries) > 1 && bytes > 2<<20+1000 {
			t.Errorf("a page of %d entries has %d bytes", len(part.Entries), bytes)
		}
		if part.Next == nil {
			break
		}
		after = *part.Next
	}
	if fmt.Sprint(sizes) != "[2 1 1 1]" {
		t.Errorf("%v", sizes)
	}
}
