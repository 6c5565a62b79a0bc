package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

const (
	placesShown = 2  // additional positions listed for a repeated finding
	codeShown   = 10 // warnings printed per code
)

// findingsPrinter prints findings. It merges repeated findings into one with a count. For a code with very many
// warnings, it prints the first ones and how to list the rest. Errors are always printed.
type findingsPrinter struct {
	w     io.Writer
	all   bool   // print every finding separately
	how   string // how to list all of them, such as "--all"; "" = not possible
	write func(diag.Diagnostic)
}

// print prints a list.
func (p findingsPrinter) print(list diag.List) {
	if p.all {
		for _, d := range list {
			p.write(d)
			p.hint(d)
		}
		return
	}
	written, left, order := map[string]int{}, map[string]int{}, []string{}
	hinted := map[string]bool{}
	for _, g := range list.Groups() {
		if written[g.Code]++; g.Severity == diag.Warning && written[g.Code] > codeShown {
			if left[g.Code] == 0 {
				order = append(order, g.Code)
			}
			left[g.Code] += 1 + len(g.Others)
			continue
		}
		p.write(g.Diagnostic)
		if len(g.Others) > 0 {
			fmt.Fprintf(p.w, "    %s\n", p.places(g))
		}
		if !hinted[g.Code+g.Hint] { // print each hint only once
			p.hint(g.Diagnostic)
			hinted[g.Code+g.Hint] = true
		}
	}
	for _, code := range order {
		fmt.Fprintf(p.w, "and %s more [%s]%s\n", count(left[code], "warning"), code, p.listing())
	}
}

// places lists the other positions of a finding.
func (p findingsPrinter) places(g diag.Group) string {
	var names []string
	for _, d := range g.Others[:min(len(g.Others), placesShown)] {
		names = append(names, harmless(d.Place()))
	}
	text := fmt.Sprintf("%d times: also %s", 1+len(g.Others), strings.Join(names, ", "))
	if more := len(g.Others) - len(names); more > 0 {
		text += fmt.Sprintf(" and %s%s", count(more, "other place"), p.listing())
	}
	return text
}

func (p findingsPrinter) listing() string {
	if p.how == "" {
		return ""
	}
	return " (" + p.how + " lists them)"
}

func (p findingsPrinter) hint(d diag.Diagnostic) {
	if d.Hint != "" {
		fmt.Fprintf(p.w, "    hint: %s\n", harmless(d.Hint))
	}
}

// printDiagnostics prints one line per finding, with its hint indented below. how is how to list all of them.
func printDiagnostics(w io.Writer, list diag.List, how string) {
	findingsPrinter{w: w, how: how, write: func(d diag.Diagnostic) { fmt.Fprintln(w, d) }}.print(list)
}
