package expand

import (
	"io/fs"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// Options are what all pages of a site share.
type Options struct {
	Src       fs.FS             // the docs folder
	Variables map[string]string // {{name}} in sources
	Now       time.Time         // what author code sees as the time
	Limits    jsrun.Limits      // of author code on one page; zero values mean the engine's defaults
	Scripts   jsrun.Host        // where author code runs, if it does
	Workers   int               // pages that run code at once, where that costs a process; 0 means 1

	// Platform reports whether the platform draws a component of this name; nil means that it draws none.
	Platform func(name string) bool
}

// Site expands the pages of one site. It is safe for concurrent use. Parsed snippets and compiled code are kept as long as the Site. Close it.
type Site struct {
	opt    Options
	build  *jsbuild.Builder
	engine *jsrun.Engine

	mu      sync.Mutex
	modules map[string]*loading
}

// loading is a module that is read once, by the first caller that needs it.
type loading struct {
	once sync.Once
	m    *module
}

// New makes a Site.
func New(opt Options) *Site {
	s := &Site{opt: opt, modules: map[string]*loading{}}
	s.build = jsbuild.New(opt.Src, s.statementsOf)
	s.engine = jsrun.New(jsrun.Options{Limits: opt.Limits, Now: opt.Now, Host: opt.Scripts, Processes: opt.Workers})
	return s
}

// Close ends what runs author code. Pages that are still being expanded fail.
func (s *Site) Close() { s.engine.Close() }

// snippet returns the module of an .mdx file of the folder; its file is nil when there is no such file.
func (s *Site) snippet(name string) *module {
	s.mu.Lock()
	l := s.modules[name]
	if l == nil {
		l = &loading{}
		s.modules[name] = l
	}
	s.mu.Unlock()
	l.once.Do(func() { l.m = s.load(name) })
	return l.m
}

// statementsOf tells the compiler what an .mdx file that code imports defines.
func (s *Site) statementsOf(file string) ([]jsbuild.Piece, error) {
	m := s.snippet(file)
	if m.file == nil {
		return nil, fs.ErrNotExist
	}
	return m.statementPieces(), nil
}
