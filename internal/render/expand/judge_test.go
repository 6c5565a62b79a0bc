package expand

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// judge evaluates expressions in the engine.
type judge struct {
	engine *jsrun.Engine
	page   *jsrun.Page
	calls  int
}

func newJudge(t testing.TB) *judge {
	j := &judge{engine: jsrun.New(jsrun.Options{Limits: jsrun.Limits{Time: time.Hour}})}
	t.Cleanup(func() {
		if j.page != nil {
			j.page.Close()
		}
		j.engine.Close()
	})
	return j
}

// evaluate returns the engine's value. An engine page keeps the code of all its calls, so it is replaced regularly.
func (j *judge) evaluate(source string) (ast.Value, error) {
	if j.calls++; j.page != nil && j.calls%500 == 0 {
		j.page.Close()
		j.page = nil
	}
	if j.page == nil {
		j.page = j.engine.Open(context.Background(), "")
	}
	unit, _, list := jsbuild.New(fstest.MapFS{}, nil).
		Unit(jsbuild.Source{File: "page.mdx", Thunks: []jsbuild.Piece{{Text: source}}})
	if unit.Code == nil {
		return nil, fmt.Errorf("not compiled: %v", list)
	}
	result, err := j.page.Call(jsrun.Unit{ID: strconv.Itoa(j.calls), Code: unit.Code}, 0, inScope.Object, 0, ast.Span{})
	if broken := new(jsrun.Error); errors.As(err, &broken) && broken.Limit {
		j.page.Close()
		j.page = nil
	}
	return result.Value, err
}
