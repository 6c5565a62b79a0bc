package evaluation

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Grade rates a result from the requester's point of view.
type Grade string

// The grades.
const (
	Done     Grade = "done"     // as requested, or correctly nothing to do
	Proposed Grade = "proposed" // asks whether it understood the request, and does what was requested after a yes
	Asked    Grade = "asked"    // asks for missing information
	Declined Grade = "declined" // correctly says that it cannot do this
	Partly   Grade = "partly"   // partly done, and it says what is missing
	Missed   Grade = "missed"   // nothing was done, and it says so
	Claimed  Grade = "claimed"  // claims that it did something, or that there is nothing to do, and is wrong
)

// Result is the result of a task.
type Result struct {
	Task    Task
	Outcome agentjob.Outcome // "" = the run failed
	Err     error            // error of a failed run; nil otherwise
	Grade   Grade
	Graders int      // number of graders, including the build
	Failed  []string // graders that did not pass
	Summary string
	Answer  string // the reply to a proposal; "" = none
	Used    agentjob.Use
}

// Suite runs tasks with shared tools for building sites. The caller closes it.
type Suite struct {
	// Scratch creates a folder for an engine that is a program; nil = not available.
	Scratch func() (dir string, remove func() error, err error)
	Secrets []string // values that must not occur in results

	tools *build.Tools
	now   func() time.Time
}

// NewSuite loads the tools for building sites. now is the agents' clock.
func NewSuite(now func() time.Time) (*Suite, error) {
	tools, err := build.NewTools()
	if err != nil {
		return nil, fmt.Errorf("load tools for building: %w", err)
	}
	return &Suite{tools: tools, now: now}, nil
}

// Close releases the tools.
func (s *Suite) Close() error { return s.tools.Close() }

func (s *Suite) build(ctx context.Context, src fs.FS, _ bool, out output.Sink) (*build.Report, error) {
	return build.Build(ctx, src, build.Options{Tools: s.tools, Workers: 2, Scripts: jsrun.Host{Off: true}}, out)
}

// Run lets an engine work on a task and grades the result. Errors come from the suite or the context, never from the
// agent.
func (s *Suite) Run(ctx context.Context, t Task, engine agent.Engine) (Result, error) {
	folder, err := Repository(t.Repository)
	if err != nil {
		return Result{}, err
	}
	r := Result{Task: t}
	one := agent.Local{Folder: folder, Engine: engine, Build: agenttools.Build(s.build), Now: s.now,
		Scratch: s.Scratch, Secrets: s.Secrets,
		Did: func(e agentjob.Entry) { r.Used = r.Used.Add(e.Used) }}
	product, ok, err := findProduct(t.Repository)
	if err != nil {
		return r, err
	}
	if ok {
		one.ToolOptions = func(o *agenttools.Options) { o.Products = product }
	}
	made, talk, err := one.Begin().Say(ctx, t.Request)
	if err != nil {
		err = r.fail(ctx, err)
		return r, err
	}
	if err := r.judge(folder, made); err != nil {
		return Result{}, err
	}
	err = s.answer(ctx, &r, folder, made, talk)
	return r, err
}

// fail records why a run failed. It returns only errors that come from the suite or the context.
func (r *Result) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("run task: %w", ctx.Err())
	}
	if _, ok := fault.As(err); !ok {
		return fmt.Errorf("run task of line %d: %w", r.Task.Line, err)
	}
	r.Err, r.Grade = err, Missed
	return nil
}

// offer finds a proposal in a summary; choice finds one of several.
var (
	offer  = lazyregexp.New("(?i)\\b(?:answer|reply|say|respond)(?: with)? [`\"']?yes\\b")
	choice = lazyregexp.New(`(?i)\b(?:answer|reply|say|respond)(?: with)? [^.\n]*\b1\b`)
)

// answers returns a person's possible answers to a proposal. If it offers several readings, the person chooses the
// intended one.
func answers(summary string) []string {
	switch {
	case offer.MatchString(summary):
		return []string{"yes"}
	case choice.MatchString(summary):
		return []string{"1", "2", "3"}
	}
	return nil
}

// answer answers a proposal as a person would, and grades the result: a proposal gets the grade of the result after a
// yes.
func (s *Suite) answer(ctx context.Context, r *Result, folder fs.FS, made agent.Made, talk agent.Talk) error {
	if r.Grade == Claimed || made.Outcome != agentjob.NeedsAnswer && r.Grade != Partly {
		return nil
	}
	var tried []Result
	for _, text := range answers(made.Summary) {
		then := Result{Task: r.Task, Answer: text}
		after, _, err := talk.Say(ctx, text)
		if err != nil {
			if err := then.fail(ctx, err); err != nil {
				return err
			}
		} else if err := then.judge(folder, after); err != nil {
			return err
		}
		tried = append(tried, then)
		if then.Grade == Done {
			r.Answer, r.Failed, r.Grade = text, nil, Proposed
			return nil
		}
	}
	// An incomplete request may be answered by listing its possible readings, but choosing one of them is not a
	// solution.
	lacking := len(tried) > 1 && r.Task.Want[0] == agentjob.NeedsAnswer
	if len(tried) == 0 || lacking || r.Grade == Partly {
		return nil
	}
	r.Answer, r.Failed, r.Err, r.Grade = tried[0].Answer, tried[0].Failed, tried[0].Err, Missed
	if tried[0].Grade == Claimed && tried[0].Outcome != agentjob.Changed {
		r.Grade = Claimed
	}
	return nil
}

// open matches statements in a summary that something was not done.
var open = lazyregexp.New(`(?i)not understood|not done|not changed|could not be|nothing was changed|please check`)

// judge grades an agent's result.
func (r *Result) judge(folder fs.FS, made agent.Made) error {
	r.Outcome, r.Summary = made.Outcome, made.Summary
	after, err := newState(folder, made)
	if err != nil {
		return err
	}
	forbidden := false
	r.Graders = 1 + len(r.Task.checks)
	if len(made.Verdict.Broken)+len(made.Verdict.Worse) > 0 {
		r.Failed = append(r.Failed, "builds without new findings")
	}
	for _, c := range r.Task.checks {
		if !c.passes(after) {
			r.Failed = append(r.Failed, c.text)
			forbidden = forbidden || c.limits
		}
	}
	right, best := slices.Contains(r.Task.Want, made.Outcome), r.Task.Want[0]
	switch {
	case made.Outcome == agentjob.Changed || made.Outcome == agentjob.NothingToDo:
		switch {
		case right && len(r.Failed) == 0 && (made.Outcome == agentjob.Changed) == (len(after.differing()) > 0):
			r.Grade = Done
		case made.Outcome == agentjob.Changed && best == agentjob.Changed && !forbidden && open.MatchString(made.Summary):
			r.Grade = Partly
		default:
			r.Grade = Claimed
		}
	case len(after.differing()) > 0:
		r.Grade = Claimed
	case made.Outcome == agentjob.NeedsAnswer && (best != agentjob.NotUnderstood || right) &&
		(best != agentjob.NeedsAnswer || len(r.Failed) == 0):
		r.Grade = Asked
	case made.Outcome == agentjob.NotUnderstood && right:
		r.Grade = Declined
	default:
		r.Grade = Missed
	}
	return nil
}
