package searchquality

import "fmt"

// Result is a row of the table: one site, or several together.
type Result struct {
	Known
	Tuning, Apart Judged
}

// Add adds the results of another site.
func (r *Result) Add(o Result) {
	r.Pages += o.Pages
	for _, s := range []struct {
		to   *Share
		from Share
	}{
		{&r.Title, o.Title}, {&r.Sidebar, o.Sidebar}, {&r.Description, o.Description},
		{&r.Tuning.First, o.Tuning.First}, {&r.Tuning.Three, o.Tuning.Three},
		{&r.Apart.First, o.Apart.First}, {&r.Apart.Three, o.Apart.Three},
	} {
		s.to.Good, s.to.All = s.to.Good+s.from.Good, s.to.All+s.from.All
	}
}

// Header is the first line of the table. Columns ending in @1 and @3 are percentages. Judged questions are split into
// the half used for tuning and the half that is kept apart.
const Header = "site                                pages  title@1 sidebar@1 description@3  " +
	"tuned with @1    @3  kept apart @1    @3"

// Line returns the site's line of the table.
func (r Result) Line(name string) string {
	return fmt.Sprintf("%-35s %5d %8s %9s %13s %4d %8s %5s %4d %8s %5s", name, r.Pages, r.Title.text(), r.Sidebar.text(),
		r.Description.text(), r.Tuning.First.All, r.Tuning.First.text(), r.Tuning.Three.text(),
		r.Apart.First.All, r.Apart.First.text(), r.Apart.Three.text())
}

// text returns the percentage with one decimal, rounded down so that 100.0 means all, or "-" if there were no
// questions.
func (s Share) text() string {
	if s.All == 0 {
		return "-"
	}
	tenths := 1000 * s.Good / s.All
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}
