package expand

import (
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Page is an expanded page.
type Page struct {
	File    *ast.File
	Nodes   []ast.Node
	Client  []Client // code that the page's islands need, in order of first use
	Scripts int      // how many pieces of author code ran to make it

	// Files are those of the folder, beside its own source, that the page was made from or that were looked for in
	// vain; ordered. With Code it also depends on the time that author code sees.
	Files []string
	Code  bool
}

// Client is the browser's part of one unit.
type Client struct {
	Unit   string
	Script []byte
}

// Page expands one page. A page whose list has errors is not fit to be shown; its nodes are what could be made of it.
// When ctx ends, so does the work, and the list has an error.
func (s *Site) Page(ctx context.Context, file *ast.File) (*Page, diag.List) {
	page := s.modules.parse(file)
	x := s.newExpander(ctx, page)
	defer x.scripts.close()
	nodes := x.nodes(&scope{module: page}, page.root.Children)
	x.dependencies.addImports(page)
	return &Page{
		File:    page.file,
		Nodes:   nodes,
		Client:  x.islands.compile(s.compiler.builder),
		Scripts: x.scripts.calls,
		Files:   x.dependencies.sorted(),
		Code:    x.scripts.compiled,
	}, x.findings.list
}

// newExpander connects the steps that work on one page.
func (s *Site) newExpander(ctx context.Context, page *module) *expander {
	found := &findings{list: slices.Clip(page.findings)}
	limit := &budget{ctx: ctx, findings: found, nodes: maxNodes, bytes: maxBytes}
	used := &dependencies{modules: s.modules, findings: found}
	run := &scripts{
		ctx:          ctx,
		engine:       s.engine,
		compiler:     s.compiler,
		off:          s.off,
		seed:         page.file.Name,
		dependencies: used,
		findings:     found,
		budget:       limit,
	}
	return &expander{
		evaluator:    &evaluator{scripts: run, dependencies: used, findings: found, budget: limit},
		scripts:      run,
		dependencies: used,
		findings:     found,
		budget:       limit,
		islands:      &islands{},
	}
}
