package evaluation

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

func readTasks(t *testing.T) ([]Task, map[string]Script) {
	t.Helper()
	tasks, err := Tasks()
	if err != nil || len(tasks) < 60 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	scripts, err := Scripts()
	if err != nil {
		t.Fatal(err)
	}
	names, repositories := map[string]bool{}, map[string]bool{}
	for _, task := range tasks {
		if task.Name == "" || names[task.Name] {
			t.Errorf("line %d has no unique name", task.Line)
		}
		names[task.Name], repositories[task.Repository] = true, true
	}
	for name := range scripts {
		if !names[name] {
			t.Errorf("script %s has no task", name)
		}
	}
	if len(repositories) < 4 {
		t.Errorf("the repositories are %v", repositories)
	}
	return tasks, scripts
}

func run(t *testing.T, suite *Suite, task Task, model llm.Model) Result {
	t.Helper()
	r, err := suite.Run(context.Background(), task, agent.Engine{Model: model, Price: llm.Price{Input: 3, Output: 15}})
	if err != nil {
		t.Fatalf("%s: %v", task.Name, err)
	}
	return r
}

// The rule-based agent completes every task that needs no language model, and makes no claims about the others.
func TestRuleBasedAgentCompletesItsTasks(t *testing.T) {
	suite, model := newSuite(t), rules.Model{}
	tasks, scripts := readTasks(t)
	counts := map[string]map[Grade]int{"chores": {}, "writing": {}}
	for _, task := range tasks {
		r := run(t, suite, task, model)
		_, writing := scripts[task.Name]
		switch {
		case writing:
			counts["writing"][r.Grade]++
		default:
			counts["chores"][r.Grade]++
			if r.Grade != Done && r.Grade != Proposed && r.Grade != Asked {
				t.Errorf("%s: %s (%s): %v %v\n%s", task.Name, r.Grade, r.Outcome, r.Failed, r.Err, r.Summary)
			}
		}
		if r.Grade == Claimed {
			t.Errorf("%s: the wrong outcome %s is claimed: %v\n%s", task.Name, r.Outcome, r.Failed, r.Summary)
		}
	}
	t.Log(counts)
	compareCounts(t, "tasks/counts.json", counts)
}

// A scripted model completes the tasks that the rules cannot, with the tools that every model has.
func TestScriptedModelCompletesItsTasks(t *testing.T) {
	suite := newSuite(t)
	tasks, scripts := readTasks(t)
	for _, task := range tasks {
		script, ok := scripts[task.Name]
		if !ok {
			continue
		}
		r := run(t, suite, task, script)
		if r.Grade != Done && r.Grade != Asked && r.Grade != Declined || len(r.Failed) > 0 || r.Used.Steps != len(script) {
			t.Errorf("%s: %s (%s) after %d steps: %v %v", task.Name, r.Grade, r.Outcome, r.Used.Steps, r.Failed, r.Err)
		}
	}
}

// lazy claims to have done everything.
type lazy struct{}

func (lazy) Answer(_ context.Context, ask llm.Ask, _ func(string)) (llm.Completion, error) {
	return llm.Completion{Stop: llm.Calling, Calls: []llm.Call{{ID: "f" + strings.Repeat("x", len(ask.Turns)), Name: "finish",
		Input: json.RawMessage(`{"title": "Done", "summary": "Everything is as you asked."}`)}}}, nil
}

// Graders detect a model that does nothing, and one that does more than was asked.
func TestGradersCatchLazyAndCarelessModels(t *testing.T) {
	suite := newSuite(t)
	tasks, scripts := readTasks(t)
	careless := 0
	for _, task := range tasks {
		if r := run(t, suite, task, lazy{}); r.Grade != Claimed && task.Want[0] != agentjob.NothingToDo {
			t.Errorf("%s: a model that does nothing is graded %s", task.Name, r.Grade)
		}
		script, ok := scripts[task.Name]
		if !ok || task.Want[0] != agentjob.Changed {
			continue
		}
		careless++
		extra := llm.Call{ID: "extra", Name: "write", Input: json.RawMessage(`{"path": "extra.mdx", "text": "# Extra\n"}`)}
		if r := run(t, suite, task, append(Script{extra}, script...)); r.Grade == Done || !slices.ContainsFunc(r.Failed,
			func(f string) bool { return strings.HasPrefix(f, "only ") || strings.HasPrefix(f, "same ") }) {
			t.Errorf("%s: a result with an extra file is graded %s: %v", task.Name, r.Grade, r.Failed)
		}
	}
	if careless < 20 {
		t.Errorf("%d tasks were tried by a careless model", careless)
	}
}

func TestTablePrintsTotals(t *testing.T) {
	var b strings.Builder
	results := []Result{
		{Task: Task{Name: "move-page", Repository: "kettle"}, Outcome: agentjob.Changed, Grade: Done, Graders: 3,
			Used: agentjob.Use{Steps: 4, InputTokens: 1000, OutputTokens: 200, CostMicros: 6000}},
		{Task: Task{Line: 7, Repository: "harbor"}, Grade: Missed, Graders: 2, Failed: []string{"x"},
			Used: agentjob.Use{Steps: 1, InputTokens: 10, OutputTokens: 2, CostMicros: 50}}}
	err := Table(&b, results, false)
	want := `task       repository  outcome  grade   graders  steps  tokens in  out  US$
move-page  kettle      changed  done    3/3      4      1000       200  0.0060
7          harbor      failed   missed  1/2      1      10         2    0.0001
2 tasks                                 4/5      5      1010       202  0.0060
done 1
proposed 0
asked 0
declined 0
partly 0
missed 1
claimed 0
`
	if err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	err = Table(&b, results, true)
	if text := b.String(); err != nil || strings.Contains(text, "kettle") || strings.Contains(text, "\n7 ") ||
		!strings.Contains(text, "\n2 tasks ") || !strings.HasSuffix(text, want[strings.Index(want, "done 1"):]) {
		t.Errorf("totals only: %v\n%s", err, text)
	}
}

func TestInvalidTasksAreRefused(t *testing.T) {
	for _, line := range []string{"kettle | changed | x", "kettle | maybe | x | has a b", "kettle | changed | x | dance a", "kettle | changed | x |",
		"kettle | changed | x | has a (", "kettle | changed | x | redirect a", "kettle | changed | x | only"} {
		if _, err := ParseTasks([]byte(line)); err == nil {
			t.Errorf("%q is accepted", line)
		}
	}
}

// A proposal is graded by the result after a yes. A proposal with several options is graded by the best of them.
func TestProposalsAreGradedByTheirResult(t *testing.T) {
	suite := newSuite(t)
	tasks, err := ParseTasks([]byte("kettle | changed | The quickstart is dull | has quickstart.mdx Zap ; only quickstart.mdx\n" +
		"kettle | needs_answer | Do something |\nkettle | not_understood | Sing |\n"))
	if err != nil {
		t.Fatal(err)
	}
	ends := func(summary, outcome string) llm.Call {
		input, err := json.Marshal(map[string]string{"title": "T", "summary": summary, "outcome": outcome})
		if err != nil {
			t.Fatal(err)
		}
		return llm.Call{ID: summary, Name: "finish", Input: input}
	}
	writes := func(path string) llm.Call {
		return llm.Call{ID: path, Name: "write", Input: json.RawMessage(`{"path": "` + path + `", "text": "---\ntitle: Quickstart\n---\n\nZap.\n\n## Network\n"}`)}
	}
	one, several := ends("I read this as: zap. Answer `yes` to do it.", "needs_answer"), ends("Answer `1` or `2`.", "needs_answer")
	done, nothing := ends("Zapped.", "changed"), ends("There is nothing to do.", "nothing_to_do")
	for name, c := range map[string]struct {
		task   int
		script Script
		want   Grade
	}{
		"right":            {0, Script{one, writes("quickstart.mdx"), done}, Proposed},
		"one of several":   {0, Script{several, writes("quickstart.mdx"), done}, Proposed},
		"another file":     {0, Script{one, writes("zap.mdx"), done}, Missed},
		"nothing to do":    {0, Script{one, nothing}, Claimed},
		"no end":           {0, Script{one}, Missed},
		"open question":    {0, Script{ends("Which page?", "needs_answer"), writes("zap.mdx"), done}, Asked},
		"lacks something":  {1, Script{one, writes("quickstart.mdx"), done}, Missed},
		"lacks, chosen":    {1, Script{several, writes("quickstart.mdx"), done}, Asked},
		"cannot be done":   {2, Script{one, writes("quickstart.mdx"), done}, Missed},
		"changed at once":  {0, Script{writes("quickstart.mdx"), one}, Done},
		"changes too much": {0, Script{writes("zap.mdx"), one}, Claimed},
	} {
		if r := run(t, suite, tasks[c.task], c.script); r.Grade != c.want {
			t.Errorf("%s: %s, want %s: %s after %q: %v %v", name, r.Grade, c.want, r.Outcome, r.Answer, r.Failed, r.Err)
		}
	}
}
