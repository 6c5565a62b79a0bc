package assistant_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// judged is a question with what a right answer is, as somebody found it by reading the documentation.
type judged struct {
	Text     string   `json:"q"`
	Earlier  []string `json:"earlier"`  // questions before it in the conversation
	Pages    []string `json:"page"`     // one of which the answer must cite
	Phrases  []string `json:"has"`      // one of which the first or second quotation must have
	Outside  bool     `json:"outside"`  // the documentation does not answer it: only a refusal is right
	Language bool     `json:"language"` // not in the language of the documentation: a refusal is right too
}

// Verdicts on an answer.
const (
	right   = "right"
	honest  = "honest refusal"  // of a question that need not be answered
	missed  = "missed"          // a refusal of a question that the documentation answers
	wrong   = "wrong quotation" // it quotes something else
	claimed = "claimed"         // it answers what the documentation does not
)

func loadJudged(t testing.TB, file string) (list []judged) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// kept reports whether a question is in the half that nothing is tuned with.
func (j judged) kept() bool { return sha256.Sum256([]byte(j.Text))[0]%2 == 1 }

var citedTitle = regexp.MustCompile(`(?m)^\*\*.+\*\* \[\d+\]$`)

// plainly is a text without the marks of Markdown, so that a phrase is found however it is wrapped and marked.
func plainly(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "", `\|`, "|").Replace(s)), " "))
}

func (j judged) judge(r assistant.Result) string {
	if !r.Type.Answers() {
		switch {
		case j.Outside || j.Language:
			return honest
		default:
			return missed
		}
	}
	if j.Outside {
		return claimed
	}
	text := r.Text
	if at := citedTitle.FindAllStringIndex(text, 3); len(at) == 3 {
		text = text[:at[2][0]]
	}
	cites := slices.ContainsFunc(r.Sources, func(s conversation.Source) bool {
		at, _, _ := strings.Cut(s.Path, "#")
		return slices.Contains(j.Pages, at)
	})
	if has := plainly(text); cites && slices.ContainsFunc(j.Phrases,
		func(p string) bool { return strings.Contains(has, plainly(p)) }) {
		return right
	}
	return wrong
}

var ownDocs = sync.OnceValues(func() (*sitereader.Library, error) { return builtFrom("../../../docs") })

func builtFrom(folder string) (*sitereader.Library, error) {
	built := &sitehost.Built{}
	report, err := build.Build(context.Background(), os.DirFS(folder), build.Options{BaseURL: "https://docs.example.com",
		Links: link.Clean, Offers: capability.Offers{Search: true}}, built)
	if err == nil {
		built.Manifest.Name = report.Name
	}
	return built.Library(), err
}

// tally counts verdicts of one half.
type tally map[string]int

func (c tally) share() float64 {
	n := 0
	for _, k := range c {
		n += k
	}
	return float64(c[right]+c[honest]) / float64(max(n, 1))
}

// ask puts a judged question to an assistant without a model.
func (j judged) ask(ctx context.Context, l *sitereader.Library) assistant.Result {
	q := assistant.Question{Text: j.Text}
	for _, earlier := range j.Earlier {
		q.Earlier = append(q.Earlier, assistant.Turn{Reader: true, Text: earlier}, assistant.Turn{Text: "An answer."})
	}
	return assistant.New(nil, llm.Retry{}).Answer(ctx, l, q, func(string) error { return nil })
}

func (j judged) report(r assistant.Result, verdict string) string {
	var at []string
	for _, s := range r.Sources {
		at = append(at, s.Path)
	}
	return fmt.Sprintf("%-16s %v %q -> %s %v\n%s", verdict, j.kept(), path.Join(append(j.Earlier, j.Text)...), r.Type, at,
		r.Text)
}

// floor is the least share of each half that must be right or honestly refused, below what was measured by a few
// questions: the search changes, too.
const floor = 0.73

// Without a model the assistant quotes the place of our own documentation that answers, or says that none does. The
// questions are split in halves by a hash: nothing was tuned with the second one. -v shows every answer that is wrong.
func TestLocalAnswersAreRightOrHonestlyRefused(t *testing.T) {
	l, err := ownDocs()
	if err != nil {
		t.Fatal(err)
	}
	halves := measure(t, l, "testdata/questions.json")
	for kept, c := range halves {
		if c.share() < floor {
			t.Errorf("kept apart %v: %.1f %% right or honestly refused, %v", kept, 100*c.share(), c)
		}
	}
	if n := halves[false][claimed] + halves[true][claimed]; n > 5 {
		t.Errorf("%d questions that the documentation does not answer were answered", n)
	}
}

func measure(t *testing.T, l *sitereader.Library, file string) map[bool]tally {
	t.Helper()
	halves := map[bool]tally{false: {}, true: {}}
	for _, j := range loadJudged(t, file) {
		r := j.ask(t.Context(), l)
		verdict := j.judge(r)
		halves[j.kept()][verdict]++
		if verdict != right && verdict != honest {
			t.Log(j.report(r, verdict))
		}
	}
	for kept, c := range halves {
		t.Logf("kept apart %v: %.1f %% right or honestly refused, %v", kept, 100*c.share(), c)
	}
	return halves
}

// Each page that is named as right has one of the phrases, so that the questions are judged by what the documentation
// says.
func TestJudgedPagesHaveTheirPhrases(t *testing.T) {
	for _, j := range loadJudged(t, "testdata/questions.json") {
		if j.Outside != (len(j.Pages) == 0) {
			t.Errorf("%q: %d pages", j.Text, len(j.Pages))
		}
		for _, page := range j.Pages {
			raw, err := os.ReadFile("../../../docs" + page + ".mdx")
			if err != nil {
				t.Fatal(err)
			}
			if has := plainly(string(raw)); !slices.ContainsFunc(j.Phrases,
				func(p string) bool { return strings.Contains(has, plainly(p)) }) {
				t.Errorf("%q: %s has no right answer", j.Text, page)
			}
		}
	}
}
