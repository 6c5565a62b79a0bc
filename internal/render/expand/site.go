package expand

import (
	"io/fs"
	"time"

	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// Options holds the settings that all pages of a site share.
type Options struct {
	Src       fs.FS             // the docs folder
	Variables map[string]string // {{name}} in sources
	Now       time.Time         // the current time for author code
	Limits    jsrun.Limits      // limits for author code on one page; zero values mean the engine's defaults
	Scripts   jsrun.Host        // where author code runs
	Workers   int               // number of pages that may run code in processes concurrently; 0 means 1

	// Platform reports whether the platform has a component with this name. nil means that the platform has none.
	Platform func(name string) bool
}

// Site expands the pages of one site. It is safe for concurrent use. It caches parsed snippets and compiled code.
// The caller must close it.
type Site struct {
	modules  *modules
	compiler *compiler
	engine   *jsrun.Engine
	off      bool // author code must not run
}

// New returns a Site.
func New(opt Options) *Site {
	all := &modules{src: opt.Src, variables: opt.Variables, platform: opt.Platform, loaded: map[string]*loading{}}
	return &Site{
		modules:  all,
		compiler: &compiler{builder: jsbuild.New(opt.Src, all.statements), modules: all},
		engine: jsrun.New(jsrun.Options{
			Limits:    opt.Limits,
			Now:       opt.Now,
			Host:      opt.Scripts,
			Processes: opt.Workers,
		}),
		off: opt.Scripts.Off,
	}
}

// Close stops the engine that runs author code. Pages that are still being expanded fail.
func (s *Site) Close() { s.engine.Close() }
