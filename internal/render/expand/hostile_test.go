package expand

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Values that each contain the previous one twice are small in memory but would be huge on a page.
func TestExponentialValuesAndSnippetsAreCutOff(t *testing.T) {
	arrays, objects := "export const a0 = ['x']\n", "export const a0 = {x: 1}\n"
	for i := range 60 {
		arrays += fmt.Sprintf("export const a%d = [a%d, a%d]\n", i+1, i, i)
		objects += fmt.Sprintf("export const a%d = {l: a%d, r: a%d}\n", i+1, i, i)
	}
	long := "export const long = 'x'.repeat(1e6)\n\n"
	src := files("big.mdx", strings.Repeat("words ", 150_000))
	for name, page := range map[string]string{
		"arrays as content":    arrays + "\n{a60}\n",
		"arrays as props":      arrays + "\n<Card title={a60} {...a60} />\n",
		"arrays in functions":  "{[1]" + strings.Repeat(".map(x => [x, x])", 60) + "}\n",
		"elements":             "{[1]" + strings.Repeat(".map(x => <b>{x}{x}</b>)", 60) + "}\n",
		"objects as props":     objects + "\n<Card title={a60} />\n",
		"one text many times":  long + strings.Repeat("{long}\n\n", 5000),
		"in one expression":    long + "{Array.from({length: 5000}, () => long)}\n",
		"as a prop":            long + strings.Repeat("<Card title={long} />\n\n", 5000),
		"a snippet many times": "import Big from '/big.mdx'\n\n" + strings.Repeat("<Big />\n\n", 5000),
	} {
		start := time.Now()
		p, list := expanded(t, src, page)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if n := len(show(p.Nodes)); n > 2*maxBytes || n < maxBytes/2 && len(list) == 0 {
			t.Errorf("%s: %d bytes, %v", name, n, list)
		}
	}
}
