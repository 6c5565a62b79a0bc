package evaluation

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// stored holds the docs folders that tasks run on, the product repositories of some of them, and the tasks.
//
//go:embed all:repositories products phrasings tasks
var stored embed.FS

// Task is a request, the folder that it refers to, and the expected result.
type Task struct {
	Name       string // "" = none
	Line       int    // line in its file, starting at 1
	Repository string
	Want       []agentjob.Outcome // all acceptable outcomes, best first
	Request    string
	checks     []check
}

// Repository opens a docs folder by name.
func Repository(name string) (fs.FS, error) {
	sub, err := fs.Sub(stored, "repositories/"+name)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if _, err := fs.Stat(sub, "docs.json"); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", name, err)
	}
	return sub, nil
}

// Tasks returns the evaluation set.
func Tasks() ([]Task, error) { return load("tasks/tasks.txt") }

// Phrasings returns one set of the phrasings: tuned, apart, strangers or strangers-apart.
func Phrasings(set string) ([]Task, error) { return load("phrasings/" + set + ".txt") }

func load(file string) ([]Task, error) {
	data, err := stored.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	out, err := ParseTasks(data)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", file, err)
	}
	return out, nil
}

// ParseTasks parses tasks, one per line: [name: ]repository | outcomes | request | graders. \n in a request is a
// line break; graders are separated by " ; ", outcomes by a slash.
func ParseTasks(data []byte) (out []Task, err error) {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		fields := strings.SplitN(strings.TrimRight(line, "\n"), " |", 4)
		if len(fields) != 4 {
			return nil, fmt.Errorf("line %d: expected repository | outcomes | request | graders", n)
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		t := Task{Line: n, Repository: fields[0], Request: strings.ReplaceAll(fields[2], `\n`, "\n")}
		if name, repository, ok := strings.Cut(t.Repository, ": "); ok {
			t.Name, t.Repository = name, repository
		}
		for o := range strings.SplitSeq(fields[1], "/") {
			if o := agentjob.Outcome(o); o == agentjob.Changed || slices.Contains(agentjob.Unchanged(), o) {
				t.Want = append(t.Want, o)
				continue
			}
			return nil, fmt.Errorf("line %d: unknown outcome %q", n, o)
		}
		if fields[3] != "" {
			for c := range strings.SplitSeq(fields[3], " ; ") {
				made, err := parseCheck(strings.TrimSpace(c))
				if err != nil {
					return nil, fmt.Errorf("line %d: %w", n, err)
				}
				t.checks = append(t.checks, made)
			}
		}
		if len(t.checks) == 0 && slices.Contains(t.Want, agentjob.Changed) {
			return nil, fmt.Errorf("line %d: a task that changes files needs graders", n)
		}
		out = append(out, t)
	}
	return out, nil
}
