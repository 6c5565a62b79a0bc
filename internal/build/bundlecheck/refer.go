package bundlecheck

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// notFoundPage is served for any missing address, so its references either start at the root of the host or rely on a
// script that finds the root of the site.
const notFoundPage = "404.html"

// refer checks one reference. It calls at only for findings.
func (f *file) refer(at placer, value string, u use, what string) {
	key := memoKey{value, u, what}
	known, ok := f.memo[key]
	if !ok {
		r := &reference{file: f, at: at, value: value, use: u, what: what}
		clean := r.resolve()
		if known = r.outcome; clean && !f.bare && len(f.memo) < maxMemo {
			f.memo[key] = known
		}
	}
	if !f.second {
		f.t.links += known.links
		f.t.anchors += known.anchors
		f.t.assets += known.assets
	}
}

// reference is a reference that is being checked.
type reference struct {
	*file
	at    placer
	value string
	use   use
	what  string
	outcome
}

// resolve determines the target of a reference. It reports whether the outcome may be cached: there are no findings,
// and every other page in the same folder gets the same outcome for this address.
func (r *reference) resolve() bool {
	a := parseAddress(r.value)
	switch a.form {
	case script:
		return r.now("inline-script", "The %s %q is code. Pages of a bundle may only run scripts from files.", r.what,
			shown(r.value))
	case carried:
		if r.use == loads && (r.what == "script" || r.what == "style sheet") || r.what == "frame" {
			return r.now("inline-script",
				"The address of a %s contains the content itself. Pages of a bundle may only load it from files.",
				r.what)
		}
		return true
	case other:
		return true
	case elsewhere, hostless:
		return r.foreign(a)
	case absolute:
		return r.rooted(a)
	}
	return r.local(a)
}

// foreign handles an address on another host.
func (r *reference) foreign(a address) bool {
	listed := r.use != goes || r.what == "form" || r.what == "redirect"
	if listed {
		when := OnLoad
		if r.what == "ping" || r.what == "form" {
			when = OnAction
		}
		r.contact(r.at, r.value, a.host, r.what, when)
	}
	switch {
	case r.use != goes && r.allowed(a.host):
		if !r.second {
			if r.t.allowed == nil {
				r.t.allowed = map[string]int{}
			}
			r.t.allowed[a.host]++
		}
		return false // count it each time
	case r.use != goes && r.bare:
		r.warnf(r.at, "foreign-picture", "When opened directly, the picture loads the %s %q from another host.", r.what,
			shown(r.value))
		return false
	case r.use != goes:
		return r.now("foreign-load", "The %s %q is loaded from another host.", r.what, shown(r.value))
	case a.form == hostless, a.host == "":
		return r.bare || r.now("absolute-link",
			"The %s %q has no scheme or no host, so its target differs on each server.", r.what, shown(r.value))
	}
	r.host(a.host)
	return !listed // list it each time
}

// allowed reports whether the caller permits pages to load from a host.
func (f *file) allowed(host string) bool {
	return host != "" && slices.ContainsFunc(f.opt.AllowHosts,
		func(h string) bool { return strings.EqualFold(h, host) })
}

// rooted handles a path from the root of the host. Only the page for missing addresses may contain such paths. The path
// of its style sheets shows where the root of the site is.
func (r *reference) rooted(a address) bool {
	if r.bare {
		return true
	}
	if r.path != notFoundPage {
		return r.now("absolute-link",
			"The %s %q starts at the host's root, so it breaks when the site is served below a path or opened from disk.", r.what, shown(r.value))
	}
	if i := strings.Index(a.path, "/_lectern/"); i >= 0 && r.root == "" {
		r.root = a.path[:i+1]
	}
	rest, ok := strings.CutPrefix(a.path, r.root)
	if r.root == "" || !ok {
		return false
	}
	a.path = rest
	r.local(a)
	return false
}

// local handles a path within the bundle.
func (r *reference) local(a address) bool {
	if r.bare {
		return true
	}
	if a.path == "" && r.use != roots && r.use != rebases && r.path != notFoundPage {
		return r.itself(a)
	}
	name, inside := join(r.base, a.path)
	switch {
	case !inside:
		return r.now("outside-link", "The %s %q points outside the bundle.", r.what, shown(r.value))
	case r.use == rebases:
		r.base = strings.Trim(name[:strings.LastIndexByte(name, '/')+1], "/")
		r.folder, r.memo = "\x00", map[memoKey]outcome{} // the next file must not use this cache
		return false
	case r.use == roots || r.path == notFoundPage && name == "":
		name = path.Join(name, "index.html")
	case name == "", strings.HasSuffix(name, "/"):
		return r.now("link-ending", "The %s %q points to a folder, which only works on a server.", r.what,
			shown(r.value))
	}
	anchor := r.count(name, a)
	if r.second {
		return r.tell(name, anchor)
	}
	r.targets.want(name, anchor)
	return true
}

// count counts the reference by its kind and returns the anchor that must exist, or "".
func (r *reference) count(name string, a address) string {
	if r.use != goes {
		r.assets = 1
		return ""
	}
	r.links = 1
	anchor := fragment(a)
	if anchor == "" || !isPage(name) {
		return ""
	}
	r.anchors = 1
	return anchor
}

// fragment returns the id in an address, or "" for an id that every page has.
func fragment(a address) string {
	id, _, _ := strings.Cut(a.fragment, ":~:")
	if decoded, err := url.PathUnescape(id); err == nil {
		id = decoded
	}
	if strings.EqualFold(id, "top") {
		return ""
	}
	return id
}

// itself handles a reference to the page itself. The ids of the page are only known after the whole page has been read.
func (r *reference) itself(a address) bool {
	if id := fragment(a); r.use == goes && id != "" && !r.second {
		r.anchors = 1
		r.own = append(r.own, ownLink{r.at, id})
	}
	return false
}

// tell reports a broken reference.
func (r *reference) tell(name, anchor string) bool {
	switch {
	case r.targets.has(name) && (anchor == "" || !r.targets.lacks(name, anchor)):
		return true
	case r.targets.has(name):
		r.t.warnf(r.at, "broken-anchor", "The page %q has no element with the id %q.", name, shown(anchor))
	case r.targets.has(name + ".html"), r.targets.has(name + "/index.html"):
		r.t.errorf(r.at, "link-ending",
			"The %s %q points to a page without its file extension, which only works on a server.", r.what,
			shown(r.value))
	case r.use == goes:
		r.t.warnf(r.at, "broken-link", "The bundle has no file %q.", shown(name))
	case r.use == shows:
		r.t.warnf(r.at, "broken-image", "The bundle has no file %q for the %s.", shown(name), r.what)
	default:
		r.t.errorf(r.at, "missing-asset", "The bundle has no file %q, which the page needs.", shown(name))
	}
	return false
}

// now reports an error. It returns false, because the reference must not be cached.
func (r *reference) now(code, format string, args ...any) bool {
	r.errorf(r.at, code, format, args...)
	return false
}

// shown truncates a value that may be long.
func shown(value string) string {
	const most = 200 // characters
	return clip.Runes(value, most)
}
