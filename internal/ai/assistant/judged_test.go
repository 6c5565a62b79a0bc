package assistant_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/assistant/assistanttest"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
)

const docsFolder = "../../../docs"

var ownDocs = sync.OnceValues(func() (*sitereader.Library, error) { return builtFrom(docsFolder) })

func builtFrom(folder string) (*sitereader.Library, error) {
	built := &sitehost.Built{}
	report, err := build.Build(context.Background(), os.DirFS(folder), build.Options{BaseURL: "https://docs.example.com",
		Links: link.Clean, Offers: capability.Offers{Search: true}}, built)
	if err == nil {
		built.Manifest.Name = report.Name
	}
	return built.Library(), err
}

// readersQuestion converts a judged question to a reader's question.
func readersQuestion(j assistanttest.Judged) assistant.Question {
	q := assistant.Question{Text: j.Text}
	for _, earlier := range j.Earlier {
		q.Earlier = append(q.Earlier, assistant.Turn{Reader: true, Text: earlier}, assistant.Turn{Text: "An answer."})
	}
	return q
}

// answerOf converts a result to the form that is judged.
func answerOf(r assistant.Result) assistanttest.Answer {
	a := assistanttest.Answer{Refused: !r.Type.Answers(), Text: r.Text}
	for _, s := range r.Sources {
		a.Cites = append(a.Cites, s.Path)
	}
	return a
}

// floor is the minimum share of each half that must be right or honestly refused. It is a few questions below the
// measured share, because changes to the search affect it as well.
const floor = 0.73

// Without a model the assistant quotes the passage of our own documentation that answers the question, or says that
// there is none. A hash splits the questions into two halves, and nothing was tuned with the second half. -v shows
// every wrong answer in the first half.
func TestLocalAnswersAreRightOrHonestlyRefused(t *testing.T) {
	l, err := ownDocs()
	if err != nil {
		t.Fatal(err)
	}
	local := assistant.New(nil, llm.Retry{})
	results, err := assistanttest.Measure(func(j assistanttest.Judged) assistanttest.Answer {
		return answerOf(local.Answer(t.Context(), l, readersQuestion(j), func(string) error { return nil }))
	}, func(j assistanttest.Judged, a assistanttest.Answer, v assistanttest.Verdict) {
		t.Logf("%-16s %q after %q: cites %v\n%s", v, j.Text, j.Earlier, a.Cites, a.Text)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(results)
	for _, kept := range []bool{false, true} {
		if c := results.Half(kept); c.Share() < floor {
			t.Errorf("kept apart %v: %.1f %% right or honestly refused, %v", kept, 100*c.Share(), c)
		}
	}
	if n := results.Kind(assistanttest.Beyond)[assistanttest.Claimed]; n > 5 {
		t.Errorf("%d questions that the documentation does not answer were answered", n)
	}
}

// Each page listed as right contains one of the phrases, so that the questions match the current documentation.
func TestJudgedPagesContainAnExpectedPhrase(t *testing.T) {
	list, err := assistanttest.Questions()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range list {
		if j.Outside != (len(j.Pages) == 0) {
			t.Errorf("%q: %d pages", j.Text, len(j.Pages))
		}
		for _, page := range j.Pages {
			raw, err := os.ReadFile(docsFolder + page + ".mdx")
			if err != nil {
				t.Fatal(err)
			}
			if !j.Has(string(raw)) {
				t.Errorf("%q: %s has no right answer", j.Text, page)
			}
		}
	}
}
