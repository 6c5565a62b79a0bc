package assistant_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build/searchquality"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
)

// sites adds sites that have judged questions for their search.
var sites = flag.String("sites", "", "docs folders with questions in conformance/corpus, separated by commas, to ask too")

// searchFloor is the least share of the search's own questions about our docs for which an answer cites a right page.
const searchFloor = 0.7

// The questions that the search is judged by are put to an assistant without a model: it must cite a page that answers,
// or at least not fall behind far. With -sites it prints the shares of other sites.
func TestAssistantAnswersTheQuestionsOfTheSearch(t *testing.T) {
	cited, all := askSearchQuestions(t, docsFolder, "../../build/testdata/questions.txt")
	if all < 80 || float64(cited) < searchFloor*float64(all) {
		t.Errorf("answers to %d of %d questions cite a right page", cited, all)
	}
	for _, dir := range strings.FieldsFunc(*sites, func(r rune) bool { return r == ',' }) {
		askSearchQuestions(t, dir, "../../../conformance/corpus/testdata/questions/"+filepath.Base(dir)+".txt")
	}
}

// askSearchQuestions counts answers that cite a right page. It logs totals alone.
func askSearchQuestions(t *testing.T, dir, file string) (cited, all int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := searchquality.ParseQuestions(string(text))
	if err != nil {
		t.Fatal(err)
	}
	get := ownDocs
	if dir != docsFolder {
		get = func() (*sitereader.Library, error) { return builtFrom(dir) }
	}
	l, err := get()
	if err != nil {
		t.Fatal(err)
	}
	local := assistant.New(nil, llm.Retry{})
	right, asked, refused := map[bool]int{}, map[bool]int{}, 0
	for _, q := range list {
		r := local.Answer(t.Context(), l, assistant.Question{Text: q.Text}, func(string) error { return nil })
		asked[q.KeptApart()]++
		if !r.Type.Answers() {
			refused++
			continue
		}
		for _, s := range r.Sources {
			page, _, _ := strings.Cut(strings.TrimPrefix(s.Path, "/"), "#")
			if page == "" {
				page = "index"
			}
			if slices.Contains(q.Pages, page) {
				right[q.KeptApart()]++
				break
			}
		}
	}
	t.Logf("%s: a right page is cited for %d of %d questions tuned with and %d of %d kept apart; %d were refused",
		filepath.Base(dir), right[false], asked[false], right[true], asked[true], refused)
	return right[false] + right[true], asked[false] + asked[true]
}
