package expand

import (
	"errors"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// evaluator evaluates the expressions of one page.
type evaluator struct {
	scripts      *scripts      // evaluates expressions that package expr does not support
	dependencies *dependencies // resolves names
	findings     *findings
	budget       *budget // counts values
}

// source is an author's expression.
type source struct {
	text string
	at   ast.Span // from its opening brace
	node any      // the *ast.Expr or *ast.Attr that contains the expression; it is the key in code.sources
}

// result is the value of an expression. Its elements are not expanded yet.
type result struct {
	value  ast.Value
	call   *call // the code that returned the value; nil: it was evaluated in this process
	client bool  // the code must also run in a browser
}

// evaluate returns the value of an expression, evaluated in this process if possible and in the engine otherwise. If an
// expression fails, its value is undefined. ok is false if the source is not JavaScript. evaluate reports both cases.
func (v *evaluator) evaluate(s *scope, src source) (res result, ok bool) {
	value, err := v.evaluateHere(s, src)
	switch {
	case err == nil:
		return result{value: v.budget.takeValue(s, src.at, value)}, true
	case errors.Is(err, expr.ErrBeyond):
		return v.evaluateInEngine(s, src), true
	}
	return result{value: ast.Undefined{}}, v.report(s, src.at, err)
}

// evaluateHere evaluates a data expression. The error wraps expr.ErrBeyond if the expression needs the engine.
func (v *evaluator) evaluateHere(s *scope, src source) (ast.Value, error) {
	if value, ok := expr.Literal(src.text); ok {
		return value, nil
	}
	x, err := expr.ParseAt(src.text, src.at.Start+1)
	if err != nil {
		return nil, err
	}
	if v.dependencies.modules.usesScript(s.module, x) {
		return nil, expr.ErrBeyond
	}
	return x.Eval(&lookup{scope: s, resolve: v.dependencies.resolve})
}

// evaluateInEngine runs the compiled code of an expression.
func (v *evaluator) evaluateInEngine(s *scope, src source) result {
	if code, ok := v.scripts.compile(s, src.at, s.module); ok {
		if thunk, ok := code.sources[src.node]; ok {
			return v.run(s, src.at, call{code: code, thunk: thunk, props: s.props})
		}
		v.findings.warn(s, src.at, "expression-failed", "", "The expression cannot be evaluated.")
	}
	return result{value: ast.Undefined{}}
}

func (v *evaluator) run(s *scope, at ast.Span, c call) result {
	if res, ok := v.scripts.run(s, at, c); ok {
		return result{value: res.Value, call: &c, client: res.Client}
	}
	return result{value: ast.Undefined{}}
}

// report adds the finding for an expression without a value. It returns false if the source is not JavaScript.
func (v *evaluator) report(s *scope, at ast.Span, err error) (isJavaScript bool) {
	var syntax *expr.SyntaxError
	var name *expr.NameError
	var failed *expr.EvalError
	inside := func(offset int) ast.Span { return ast.Span{Start: at.Start + 1 + offset, End: at.End} }
	switch {
	case errors.As(err, &syntax):
		v.findings.warn(s, inside(syntax.Offset), "mdx-lenient-braces", `To show the brace itself, write \{.`,
			"The text in braces is not JavaScript (%s), so it is shown as text.", syntax.Message)
		return false
	case errors.As(err, &name):
		v.findings.warn(s, inside(name.Offset), "undefined-name",
			`To show the brace itself, write \{. Otherwise define the name with export const.`,
			"%q is not defined, so nothing is shown.", name.Name)
		return true
	case errors.As(err, &failed):
		at = inside(failed.Offset)
	}
	v.findings.warn(s, at, "expression-failed", "", "The expression failed: %v.", err)
	return true
}

// lookup resolves the names in expressions. It tries the names of the module first, then the props of the snippet, then
// the reader.
type lookup struct {
	scope   *scope
	resolve func(definition) definition
}

// Lookup implements expr.Scope.
func (l *lookup) Lookup(name string) (ast.Value, bool) {
	d, ok := l.scope.module.names.defined[name]
	if !ok {
		v, given := l.scope.prop(name)
		if !given && name == readerName {
			return &ast.Object{}, true
		}
		return v, given
	}
	switch d = l.resolve(d); d.kind {
	case constant:
		return d.value, true
	case missing:
		return ast.Undefined{}, true
	}
	return ast.Opaque{Type: "component"}, true // a snippet used as a value
}
