package shell

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// own contains the frame, the parts that every page may use, and the pages for errors.
//
//go:embed pages
var own embed.FS

// pages maps names to templates, each including the frame. A page is parsed on first use: parsing all of them takes
// longer than the rest of a start.
type pages map[string]func() *template.Template

// loadPages finds the embedded templates of every package: frame.html and parts*.html are part of every page. A
// template that cannot be read is a bug.
func loadPages(packages []fs.FS, now func() time.Time) pages {
	packages = append([]fs.FS{own}, packages...)
	frame := sync.OnceValue(func() *template.Template { return loadFrame(packages, now) })
	out := pages{}
	for _, files := range packages {
		all, err := fs.Glob(files, "pages/*.html")
		if err != nil {
			panic("dashboard: " + err.Error())
		}
		for _, file := range all {
			name := strings.TrimSuffix(path.Base(file), ".html")
			if name != "frame" && !strings.HasPrefix(name, "parts") {
				out[name] = sync.OnceValue(func() *template.Template {
					return template.Must(template.Must(frame().Clone()).ParseFS(files, file))
				})
			}
		}
	}
	return out
}

func loadFrame(packages []fs.FS, now func() time.Time) *template.Template {
	frame := template.Must(template.New("frame.html").Funcs(words(now)).ParseFS(own, "pages/frame.html"))
	for _, files := range packages {
		if parts, err := fs.Glob(files, "pages/parts*.html"); err == nil && len(parts) > 0 {
			frame = template.Must(frame.ParseFS(files, parts...))
		}
	}
	return frame
}

// Frame is the data of the page layout. Handlers set the fields from Title to Narrow as needed; fillFrame and the
// renderer set the rest.
type Frame struct {
	Title   string // of the page and its heading
	Section string // current menu entry
	Crumbs  []Crumb
	Live    bool // whether the page is updated live
	Working bool // whether something on it is in progress: without scripts it is then reloaded periodically
	Narrow  bool // a single centered column without a menu, for forms

	Version, DocsURL string
	Theme            string   // light, dark or "" for the system's theme
	Fonts            []string // font files to preload
	Here             string   // URL of the page, for forms that return to it
	Person           string   // name of the user; "" = not signed in
	Email            string
	Role             account.Role // in the organization
	Organization     account.Organization
	Others           []account.Membership // other organizations of the user
	CSRF             string
	Did              string // message about a completed action
	Base             string // address of the server

	here account.Role // the user's role in the page's project or organization
}

// Crumb is an entry of the breadcrumb navigation.
type Crumb struct{ Text, Path string }

// May reports whether the user's role for this page is sufficient. Used by templates.
func (f Frame) May(role account.Role) bool { return f.here.AtLeast(role) }

// InOrganization reports whether the user's role in the organization is sufficient. Used by templates.
func (f Frame) InOrganization(role account.Role) bool { return f.Role.AtLeast(role) }

// fillFrame sets the fields about the visit.
func (v *Visit) fillFrame(f *Frame) {
	f.Person, f.Email, f.here = v.Person.Called(), v.Person.Email, v.Role()
	if v.Person.ID == "" {
		f.Person = ""
		return
	}
	f.CSRF = v.csrf()
	if v.Membership != nil {
		f.Organization, f.Role = v.Membership.Organization, v.Membership.Member.Role
	}
	for _, m := range v.Memberships {
		if m.Organization.ID != f.Organization.ID {
			f.Others = append(f.Others, m)
		}
	}
	f.Did = v.Did()
}

// view is the data of templates: the frame's fields and the page's own data.
type view struct {
	Frame
	Data any
}

// page renders and sends a page.
func (b *Board) page(w http.ResponseWriter, r *http.Request, status int, name string, f Frame, data any) {
	f.Version, f.DocsURL, f.Theme, f.Here, f.Base = b.Version, b.DocsURL, themeOf(r), r.URL.RequestURI(), b.Base(r)
	f.Fonts = b.look.Early
	f.Narrow = f.Narrow || f.Person == "" // there is no menu
	tmpl, ok := b.pages[name]
	if !ok {
		panic("dashboard: there is no page " + name)
	}
	var out bytes.Buffer
	if err := tmpl().Execute(&out, view{Frame: f, Data: data}); err != nil {
		b.Log.ErrorContext(r.Context(), "failed to render page", "page", name, "error", err)
		http.Error(w, "The page could not be rendered.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(out.Bytes()) // the client has disconnected, so the error cannot be reported
	}
}

// ThemeCookie stores whether a user prefers the light or dark theme.
const ThemeCookie = "lectern_theme"

func themeOf(r *http.Request) string {
	if c, err := r.Cookie(ThemeCookie); err == nil && (c.Value == "light" || c.Value == "dark") {
		return c.Value
	}
	return ""
}
