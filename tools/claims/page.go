package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The tables of the page are identified by their header rows.
const (
	provenHead = "| Id | Claim | Proved by |"            // the tool writes the third column
	openHead   = "| Id | Claim | Why it is not proven |" // tests must not state these claims
	partHead   = "| Id | What is not proven |"           // limits of claims that are in the table of proven ones
)

var countPattern = regexp.MustCompile(`^\*\*\d+ of \d+ claims\*\* .*$`)

// row is a line of a table, or any other line of the page.
type row struct {
	kind string // header of its table; "" outside tables
	id   string
	text string // the claim, or the whole line outside tables
	last string // third column
}

type page []row

// parsePage splits a page into lines and parses the rows of its tables.
func parsePage(text string) (page, error) {
	var p page
	kind := ""
	for number, line := range strings.Split(text, "\n") {
		switch {
		case line == provenHead || line == openHead || line == partHead:
			kind = line
		case !strings.HasPrefix(line, "|"):
			kind = ""
		case strings.HasPrefix(line, "| Id |"):
			return nil, fmt.Errorf("line %d: unknown table header %s", number+1, line)
		}
		if kind == "" || line == kind || strings.HasPrefix(line, "|-") {
			p = append(p, row{text: line})
			continue
		}
		r, err := parseRow(kind, line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
		p = append(p, r)
	}
	return p, nil
}

func parseRow(kind, line string) (row, error) {
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), " | ")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	want := strings.Count(kind, "|") - 1
	if len(cells) != want || !idPattern.MatchString(cells[0]) || cells[1] == "" {
		return row{}, fmt.Errorf("expected an id and %d more cells, got %q", want-1, line)
	}
	r := row{kind: kind, id: cells[0], text: cells[1]}
	if want == 3 {
		r.last = cells[2]
	}
	return r, nil
}

// validate compares the rows with the claims stated by tests.
func (p page) validate(tests []proof) error {
	var faults []string
	tested, early := map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		for _, id := range t.ids {
			tested[id] = true
			early[id] = early[id] || !t.late
			if p.find(id) == "" {
				faults = append(faults, fmt.Sprintf("%s in %s states %s, which has no row", t.name, t.pkg, id))
			}
		}
	}
	seen := map[string]bool{}
	for _, r := range p {
		if r.kind == "" {
			continue
		}
		if fault := p.checkRow(r, tested[r.id], seen[r.id]); fault != "" {
			faults = append(faults, fault)
		} else if tested[r.id] && !early[r.id] && r.kind == provenHead {
			faults = append(faults, r.id+" is proven only by nightly tests: make test must prove it, too")
		}
		seen[r.id] = seen[r.id] || r.kind != partHead
	}
	for id := range seen {
		if before := previous(id); before != "" && !seen[before] {
			faults = append(faults, fmt.Sprintf("%s has a row, but %s has none", id, before))
		}
	}
	if len(faults) == 0 {
		return nil
	}
	slices.Sort(faults)
	return errors.New(strings.Join(faults, "\n"))
}

// checkRow returns the error in a row, or "".
func (p page) checkRow(r row, tested, twice bool) string {
	switch {
	case r.kind == partHead && p.find(r.id) != provenHead:
		return r.id + " has limits but no row in a table of proven claims"
	case r.kind == partHead:
		return ""
	case twice:
		return r.id + " has two rows"
	case r.kind == provenHead && !tested:
		return fmt.Sprintf("%s has no test: no doc comment begins with %q", r.id, r.id+":")
	case r.kind == openHead && tested:
		return r.id + " has a test: move its row to a table of proven claims"
	case r.kind == openHead && r.last == "":
		return r.id + " has no reason why it is not proven"
	}
	return ""
}

// find returns the header of the table that contains a claim, or "".
func (p page) find(id string) string {
	for _, r := range p {
		if r.id == id && r.kind != partHead {
			return r.kind
		}
	}
	return ""
}

// previous returns the id before this one: J2 for J3, "" for J1.
func previous(id string) string {
	n, err := strconv.Atoi(id[1:])
	if err != nil || n < 2 {
		return ""
	}
	return id[:1] + strconv.Itoa(n-1)
}

// render returns the page with updated third columns and counts.
func (p page) render(tests []proof) string {
	lines := make([]string, 0, len(p))
	for _, r := range p {
		switch {
		case r.kind == provenHead:
			lines = append(lines, fmt.Sprintf("| %s | %s | %s |", r.id, r.text, provers(r.id, tests)))
		case r.kind == openHead:
			lines = append(lines, fmt.Sprintf("| %s | %s | %s |", r.id, r.text, r.last))
		case r.kind == partHead:
			lines = append(lines, fmt.Sprintf("| %s | %s |", r.id, r.text))
		case countPattern.MatchString(r.text):
			lines = append(lines, p.count())
		default:
			lines = append(lines, r.text)
		}
	}
	return strings.Join(lines, "\n")
}

// provers lists a claim's tests by package: `internal/serve/auth`: TestA, TestB<br />`internal/app/cli`: TestC.
func provers(id string, tests []proof) string {
	var b strings.Builder
	pkg := ""
	for _, t := range tests {
		switch {
		case !slices.Contains(t.ids, id):
			continue
		case t.pkg == pkg:
			b.WriteString(", ")
		default:
			if pkg != "" {
				b.WriteString("<br />")
			}
			pkg = t.pkg
			fmt.Fprintf(&b, "`%s`: ", pkg)
		}
		b.WriteString(t.name)
	}
	return b.String()
}

// count describes how many claims have tests.
func (p page) count() string {
	var proven, all int
	part := map[string]bool{}
	for _, r := range p {
		switch r.kind {
		case provenHead:
			proven, all = proven+1, all+1
		case openHead:
			all++
		case partHead:
			part[r.id] = true
		}
	}
	return fmt.Sprintf("**%d of %d claims** are proven by tests, %d of them with stated limits; %d are not proven.",
		proven, all, len(part), all-proven)
}
