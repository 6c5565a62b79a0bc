package assistant_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build/searchquality"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

// sites is a flag that adds sites with judged search questions.
var sites = flag.String("sites", "", "`folder` of docs folders: those with questions in conformance/corpus are asked too")

// searchFloor is the minimum share of the search's own questions about our docs for which an answer cites a right page.
const searchFloor = 0.7

// otherQuestions is the folder of questions about other sites, in files named after their folders. All files in "tuned"
// are used for tuning.
const otherQuestions = "../../../conformance/corpus/testdata/questions"

// An assistant without a model is asked the questions that measure the search: a minimum share of its answers must cite
// a right page. With -sites, -v prints a table of other sites.
func TestAssistantAnswersSearchQuestions(t *testing.T) {
	rows := []string{"", "| site | tuned with: right page cited | refused | kept apart: right page cited | refused |", "|---|---|---|---|---|"}
	own := askSearchQuestions(t, ownDocs, "../../build/testdata/questions.txt", false)
	rows = append(rows, citedRow("our docs", own))
	cited, all := own[false].cited+own[true].cited, own[false].asked+own[true].asked
	if all < 80 || float64(cited) < searchFloor*float64(all) {
		t.Errorf("answers to %d of %d questions cite a right page", cited, all)
	}
	if *sites != "" {
		rows = append(rows, otherSites(t, *sites)...)
	}
	t.Log(strings.Join(rows, "\n"))
}

// otherSites asks the questions about each site in a folder, and returns a row for each site and one for all.
func otherSites(t *testing.T, folder string) (rows []string) {
	t.Helper()
	sum := map[bool]citations{}
	for _, pattern := range []string{"*.txt", "tuned/*.txt"} {
		files, err := filepath.Glob(filepath.Join(otherQuestions, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			site := strings.TrimSuffix(filepath.Base(file), ".txt")
			get := func() (*sitereader.Library, error) { return builtFrom(filepath.Join(folder, site)) }
			halves := askSearchQuestions(t, get, file, strings.HasPrefix(pattern, "tuned/"))
			rows = append(rows, citedRow(site, halves))
			for kept, c := range halves {
				sum[kept] = citations{sum[kept].asked + c.asked, sum[kept].cited + c.cited, sum[kept].refused + c.refused}
			}
		}
	}
	slices.Sort(rows)
	return append(rows, citedRow("other sites", sum))
}

// citations counts the questions of one half, the answers that cite a right page, and the refusals.
type citations struct{ asked, cited, refused int }

func citedRow(site string, halves map[bool]citations) string {
	row := "| " + site
	for _, kept := range []bool{false, true} {
		c := halves[kept]
		if c.asked == 0 {
			row += " | – | –"
			continue
		}
		row += fmt.Sprintf(" | %d of %d (%.1f %%) | %d", c.cited, c.asked, 100*float64(c.cited)/float64(c.asked), c.refused)
	}
	return row + " |"
}

// askSearchQuestions counts, for each half, which pages the answers to the questions of a file cite. It reports totals
// only.
func askSearchQuestions(t *testing.T, site func() (*sitereader.Library, error), file string, tuning bool) map[bool]citations {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := searchquality.ParseQuestions(string(text))
	if err != nil {
		t.Fatal(err)
	}
	l, err := site()
	if err != nil {
		t.Fatal(err)
	}
	local, out := assistant.New(nil, llm.Retry{}), map[bool]citations{}
	for _, q := range list {
		q.Tuning = tuning
		r := local.Answer(t.Context(), l, assistant.Question{Text: q.Text}, func(string) error { return nil })
		c := out[q.KeptApart()]
		c.asked++
		switch {
		case !r.Type.Answers():
			c.refused++
		case slices.ContainsFunc(r.Sources, func(s conversation.Source) bool { return isRightPage(q, s.Path) }):
			c.cited++
		}
		out[q.KeptApart()] = c
	}
	return out
}

// isRightPage reports whether an address belongs to a page that answers a question.
func isRightPage(q searchquality.Question, address string) bool {
	page, _, _ := strings.Cut(strings.TrimPrefix(address, "/"), "#")
	if page == "" {
		page = "index"
	}
	return slices.Contains(q.Pages, page)
}
