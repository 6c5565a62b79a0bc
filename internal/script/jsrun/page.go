package jsrun

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Unit is the compiled code of one file, from jsbuild.
type Unit struct {
	ID   string
	Code []byte
}

// Result is the result of a thunk.
type Result struct {
	Value  ast.Value // JSX becomes ast.Nodes, also inside arrays and objects
	Client bool      // the code used state, effects or event handlers, so it must also run in a browser
	Notes  []string  // hints for the author, such as names that are not defined
}

// Error describes why a thunk has no value.
type Error struct {
	Message   string
	Component string // the author's component that threw; may be ""
	Hint      string
	Limit     bool // a limit was exceeded: all later calls on this page fail with the same error
}

func (e *Error) Error() string {
	if e.Component != "" {
		return e.Component + ": " + e.Message
	}
	return e.Message
}

// Page runs the code of one page. It must be used by one goroutine only.
type Page struct {
	ctx    context.Context // of the work that renders the page
	engine *Engine
	seed   string
	left   time.Duration // the rest of the time limit
	at     place         // nil before the first call, and after a limit was exceeded
	held   holder
	dead   *Error
}

// Close releases the page's machine.
func (p *Page) Close() {
	p.leave(true)
	p.dead = &Error{Message: "the page is closed"}
}

func (p *Page) leave(whole bool) {
	if p.at != nil {
		p.at.leave(whole)
		p.at = nil
	}
}

// Call evaluates one thunk of a unit. props holds the variables in scope, an *ast.Object or nil. slots is the number of
// pieces of content that are passed in. Nodes in the answer get the position at. A returned error is an *Error.
func (p *Page) Call(u Unit, thunk int, props ast.Value, slots int, at ast.Span) (Result, error) {
	if p.dead != nil {
		return Result{}, p.dead
	}
	variables, err := p.held.encode(props)
	if err != nil {
		return Result{}, &Error{Message: err.Error(), Hint: "pass less to the component"}
	}
	text, err := p.run(job{unit: u, thunk: thunk, variables: variables, slots: slots})
	if err != nil {
		return Result{}, p.fail(err)
	}
	if len(text) > maxAnswer(p.engine.limits.Output) {
		return Result{}, p.fail(&Error{Message: "the result of the code is too large", Hint: "return less"})
	}
	got, err := parseAnswer(text, &p.held, slots, at)
	if err != nil {
		p.leave(false) // the next call gets a new machine
		return Result{}, &Error{Message: "the result of the code cannot be read: " + err.Error(),
			Hint: "do not modify JavaScript's built-in objects"}
	}
	p.left -= got.took
	if got.err != nil {
		return Result{Notes: got.result.Notes}, p.checkLimit(got.err)
	}
	return got.result, nil
}

func (p *Page) run(j job) (string, error) {
	if p.left <= 0 {
		return "", errTime
	}
	if p.ctx.Err() != nil {
		return "", errStopped()
	}
	if p.at == nil {
		var err error
		if p.at, err = p.engine.enter(p.ctx, p.seed); err != nil {
			p.at = nil
			return "", err
		}
	}
	text, err := p.at.run(p.ctx, j, p.left)
	if err != nil && p.ctx.Err() != nil {
		err = errStopped()
	}
	return text, err
}

// errStopped returns the error of a page whose context was cancelled.
func errStopped() error { return &Error{Message: "the page was not finished in time"} }

// fail ends the page. It is called for exceeded limits and failures of the engine.
func (p *Page) fail(err error) error {
	p.leave(false)
	var known *Error
	var js *engineError
	switch {
	case errors.As(err, &known):
	case errors.Is(err, errTime), errors.As(err, &js) && js.Name == "InternalError" && js.Message == "interrupted":
		known = &Error{Message: fmt.Sprintf("the code ran longer than %v", p.engine.limits.Time),
			Hint: "look for an endless loop, or compute less"}
	case js != nil && js.Name == "SyntaxError":
		known = &Error{Message: strings.TrimSpace(js.Error()), Hint: "the engine does not support this syntax"}
	case js != nil:
		known = p.memoryError()
	default:
		known = &Error{Message: err.Error()}
	}
	known.Limit = true
	p.dead = known
	return known
}

func (p *Page) memoryError() *Error {
	return &Error{Message: fmt.Sprintf("the code used more than %d MB of memory", p.engine.limits.Memory>>20),
		Hint: "look for a list or string that grows without bound"}
}

// checkLimit detects errors about exceeded limits that the author's code may have caught and thrown again.
func (p *Page) checkLimit(e *Error) error {
	switch {
	case strings.HasSuffix(e.Message, "InternalError: out of memory"):
		return p.fail(p.memoryError())
	case strings.HasSuffix(e.Message, "RangeError: out of time"):
		return p.fail(errTime)
	case strings.HasSuffix(e.Message, "InternalError: stack overflow"):
		e.Hint = "look for a function or component that calls itself endlessly"
	}
	return e
}
