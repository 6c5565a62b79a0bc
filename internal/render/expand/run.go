package expand

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// scripts runs the author code of one page.
type scripts struct {
	ctx      context.Context // cancels calls
	engine   *jsrun.Engine   // shared by the site
	compiler *compiler       // shared by the site
	off      bool            // author code must not run
	seed     string          // for random numbers; it is the page's path

	dependencies *dependencies // records the files that code was compiled from
	findings     *findings
	budget       *budget // counts the values that calls return

	page     *jsrun.Page // opened by the first call
	calls    int         // number of calls so far
	compiled bool        // code was compiled, so the page depends on it
}

func (r *scripts) close() {
	if r.page != nil {
		r.page.Close()
	}
}

// call is one piece of code to run.
type call struct {
	code  *code
	thunk int
	props *ast.Object  // variables in scope; nil: none
	slots [][]ast.Node // content that is passed in, not yet expanded
}

// compile returns the code of a module. ok is false if author code is disabled, which compile reports.
func (r *scripts) compile(s *scope, at ast.Span, m *module) (c *code, ok bool) {
	if r.off {
		const hint = "Use literals, variables, snippets and built-in components, " +
			"or ask the operator to change the setting scripts."
		r.findings.warn(s, at, "script-off", hint, "Authors' code is disabled, so nothing is shown here.")
		return nil, false
	}
	r.compiled = true
	c = r.compiler.compile(m)
	r.dependencies.addCode(c)
	return c, true
}

// run runs a piece of code. ok is false if the code failed, which run reports.
func (r *scripts) run(s *scope, at ast.Span, c call) (res jsrun.Result, ok bool) {
	r.findings.addNew(c.code.findings)
	if c.code.unit.Code == nil {
		return res, false
	}
	if r.page == nil {
		r.page = r.engine.Open(r.ctx, r.seed)
	}
	props := c.props
	if props == nil {
		props = &ast.Object{}
	}
	r.calls++
	res, err := r.page.Call(jsrun.Unit(c.code.unit), c.thunk, props, len(c.slots), at)
	for _, note := range res.Notes {
		r.findings.warn(s, at, "undefined-name", "", "%s", note)
	}
	if err != nil {
		r.report(s, at, err)
		return res, false
	}
	res.Value = r.budget.takeValue(s, at, res.Value)
	return res, true
}

// report adds the finding for code that failed. Only a failure that stops the whole page is an error.
func (r *scripts) report(s *scope, at ast.Span, err error) {
	var broken *jsrun.Error
	switch {
	case !errors.As(err, &broken):
		r.findings.fail(s, at, "script-failed", "", "The code on this page cannot be run.")
	case broken.Limit:
		r.findings.fail(s, at, "script-limit", broken.Hint, "The code on this page was stopped: %v.", err)
	default:
		r.findings.warn(s, at, "script-failed", broken.Hint, "The code failed, so nothing is shown here: %v.", err)
	}
}
