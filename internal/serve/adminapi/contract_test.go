package adminapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lectern-docs/lectern/api"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

// described is the API description; every response in every test of this package is checked against it. It is global
// because coverage is counted over all tests.
var described = loadContract(true)

// unreached lists documented responses that no test can cause, with the reasons.
var unreached = map[string]string{
	"getHealth 500":        "it checks nothing that could fail",
	"getOpenAPI 500":       "it sends bytes that are prepared at the start",
	"reportLeakedKeys 503": "for the same reason as receivePush",
	"receivePush 503":      "it queries the store without identifying a caller; other operations cover 503",
}

// A1: at the end, every documented (operation, status) must have been seen.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == ""
	if code == 0 && whole {
		for _, one := range described.missing() {
			fmt.Println("documented, but no test reaches it:", one)
			code = 1
		}
	}
	os.Exit(code)
}

// contract checks responses against the API description.
type contract struct {
	compiler *jsonschema.Compiler
	doc      any
	ops      []operation

	values sync.Map // results of at, by pointer; most responses need the same few

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema // by pointer
	seen    map[string]bool               // "operationId status"
}

type operation struct {
	id, method, pattern, scope, plan string
	idempotent                       bool
	path                             *regexp.Regexp
	responses                        map[string]string // status → pointer
}

const resource = "openapi.json"

// loadContract reads the description. If closed is true, undescribed fields in responses are rejected.
func loadContract(closed bool) *contract {
	raw, err := api.JSON()
	if err != nil {
		panic(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		panic(err)
	}
	if closed {
		closeObjects(doc.(map[string]any)["components"].(map[string]any)["schemas"])
	}
	c := &contract{compiler: jsonschema.NewCompiler(), doc: doc, schemas: map[string]*jsonschema.Schema{},
		seen: map[string]bool{}}
	c.compiler.AssertFormat()
	if err := c.compiler.AddResource(resource, doc); err != nil {
		panic(err)
	}
	param := regexp.MustCompile(`\\\{[^}]*\\\}`)
	for pattern, item := range doc.(map[string]any)["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			o, ok := op.(map[string]any)
			if !ok || method == "parameters" {
				continue
			}
			one := operation{id: o["operationId"].(string), method: strings.ToUpper(method), pattern: pattern,
				responses: map[string]string{},
				path:      regexp.MustCompile("^" + param.ReplaceAllString(regexp.QuoteMeta(pattern), "[^/]+") + "$")}
			one.scope, _ = o["x-lectern-scope"].(string)
			one.plan, _ = o["x-lectern-plan"].(string)
			one.idempotent, _ = o["x-lectern-idempotent"].(bool)
			for status := range o["responses"].(map[string]any) {
				one.responses[status] = c.deref(pointer("paths", pattern, method, "responses", status))
			}
			c.ops = append(c.ops, one)
		}
	}
	return c
}

// closeObjects makes schemas reject undescribed fields. The published description leaves objects open, because callers
// must tolerate fields that later releases add, but each field of this release must be described.
func closeObjects(v any) {
	switch x := v.(type) {
	case map[string]any:
		if _, said := x["additionalProperties"]; !said && x["type"] == "object" && x["properties"] != nil {
			x["additionalProperties"] = false
		}
		for _, child := range x {
			closeObjects(child)
		}
	case []any:
		for _, child := range x {
			closeObjects(child)
		}
	}
}

// Creating a replacer costs more than using it.
var (
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
)

func pointer(parts ...string) string {
	p := ""
	for _, s := range parts {
		p += "/" + escapePointer.Replace(s)
	}
	return p
}

// at returns the value that a JSON pointer points to, or nil.
func (c *contract) at(p string) any {
	if v, ok := c.values.Load(p); ok {
		return v
	}
	v := c.find(p)
	c.values.Store(p, v)
	return v
}

func (c *contract) find(p string) any {
	v := c.doc
	for part := range strings.SplitSeq(strings.TrimPrefix(p, "/"), "/") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[unescapePointer.Replace(part)]
	}
	return v
}

// deref follows a reference, if there is one.
func (c *contract) deref(p string) string {
	if m, ok := c.at(p).(map[string]any); ok {
		if ref, ok := m["$ref"].(string); ok {
			return strings.TrimPrefix(ref, "#")
		}
	}
	return p
}

// validate checks a value against the schema at a pointer.
func (c *contract) validate(p string, v any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.schemas[p]
	if s == nil {
		var parts []string
		for part := range strings.SplitSeq(p, "/") {
			parts = append(parts, url.PathEscape(part))
		}
		var err error
		if s, err = c.compiler.Compile(resource + "#" + strings.Join(parts, "/")); err != nil {
			return err
		}
		c.schemas[p] = s
	}
	return s.Validate(v)
}

func (c *contract) validateJSON(p string, raw []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return c.validate(p, v)
}

// check fails the test unless the response is described.
func (c *contract) check(t testing.TB, a ask, r reply) {
	t.Helper()
	path, _, _ := strings.Cut(a.path, "?")
	if strings.HasPrefix(path, "/blob/") {
		return
	}
	method := a.method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	known := slices.ContainsFunc(c.ops, func(o operation) bool { return o.path.MatchString(path) })
	i := slices.IndexFunc(c.ops, func(o operation) bool { return o.method == method && o.path.MatchString(path) })
	where := fmt.Sprintf("%s %s → %d", a.method, a.path, r.status)
	if a.method == http.MethodHead {
		return // has no body to check
	}
	switch {
	case !known:
		c.checkAnswer(t, where, c.deref(pointer("components", "responses", "NotFound")), r)
		if r.status != 404 {
			t.Errorf("%s: want 404 for an unknown path", where)
		}
	case i < 0:
		c.checkAnswer(t, where, pointer("components", "responses", "MethodNotAllowed"), r)
		if r.status != 405 {
			t.Errorf("%s: want 405 for a method that the path does not support", where)
		}
	default:
		o := c.ops[i]
		p, ok := o.responses[strconv.Itoa(r.status)]
		if !ok {
			t.Errorf("%s: %s does not document this status: %s", where, o.id, r.body)
			return
		}
		c.mu.Lock()
		c.seen[fmt.Sprint(o.id, " ", r.status)] = true
		c.mu.Unlock()
		c.checkAnswer(t, where, p, r)
	}
}

// checkAnswer compares a response's headers, content type and body with a documented response.
func (c *contract) checkAnswer(t testing.TB, where, p string, r reply) {
	t.Helper()
	if len(r.header.Values("X-Request-Id")) != 1 {
		t.Errorf("%s: X-Request-Id: %q", where, r.header.Values("X-Request-Id"))
	}
	headers, _ := c.at(p + "/headers").(map[string]any)
	for name := range headers {
		c.checkHeader(t, where, name, c.deref(p+pointer("headers", name)), r.header)
	}
	content, _ := c.at(p + "/content").(map[string]any)
	if content == nil {
		if len(r.body) != 0 {
			t.Errorf("%s: body %q, none is documented", where, r.body)
		}
		return
	}
	kind := r.header.Get("Content-Type")
	if _, ok := content[kind]; !ok {
		t.Errorf("%s: content type %q is not documented", where, kind)
		return
	}
	at := p + pointer("content", kind)
	if kind == "text/event-stream" {
		c.checkEvents(t, where, at, r.body)
		return
	}
	if kind != "application/json" {
		c.checkLines(t, where, at, r.body)
		return
	}
	if err := c.validateJSON(at+"/schema", r.body); err != nil {
		t.Errorf("%s: %v\n%s", where, err, r.body)
	}
	var problem struct{ Code string }
	if r.status >= 400 && json.Unmarshal(r.body, &problem) == nil && problem.Code != "" &&
		!strings.Contains(errorCodes(), "`"+problem.Code+"`") {
		t.Errorf("%s: docs/reference/errors.mdx does not list %s", where, problem.Code)
	}
}

// errorCodes returns the page that lists every error code of the API.
var errorCodes = sync.OnceValue(func() string {
	page, err := os.ReadFile("../../../docs/reference/errors.mdx")
	if err != nil {
		panic(err)
	}
	return string(page)
})

func (c *contract) checkHeader(t testing.TB, where, name, p string, h http.Header) {
	t.Helper()
	required, _ := c.at(p + "/required").(bool)
	text := h.Get(name)
	if text == "" {
		if required {
			t.Errorf("%s: header %s is missing", where, name)
		}
		return
	}
	var v any = text
	if kind, _ := c.at(p + "/schema/type").(string); kind == "integer" {
		v = json.Number(text)
	}
	if err := c.validate(p+"/schema", v); err != nil {
		t.Errorf("%s: header %s: %v", where, name, err)
	}
}

// eventID matches the line with an event's id.
var eventID = regexp.MustCompile(`^id: [0-9]+\n`)

// checkEvents checks the data of each server-sent event against the schema for its name.
func (c *contract) checkEvents(t testing.TB, where, at string, body []byte) {
	t.Helper()
	for block := range strings.SplitSeq(strings.TrimSpace(string(body)), "\n\n") {
		if strings.HasPrefix(block, ":") {
			continue
		}
		if data, unnamed := strings.CutPrefix(block, "data: "); unnamed {
			p := at + pointer("x-lectern-events", "message")
			if err := c.validateJSON(c.deref(p), []byte(data)); data != "[DONE]" && err != nil {
				t.Errorf("%s: event %s: %v", where, data, err)
			}
			continue
		}
		block = strings.TrimPrefix(block, eventID.FindString(block))
		name, data, ok := strings.Cut(block, "\n")
		if !ok {
			t.Errorf("%s: event %q", where, block)
			continue
		}
		p := at + pointer("x-lectern-events", strings.TrimPrefix(name, "event: "))
		if err := c.validateJSON(c.deref(p), []byte(strings.TrimPrefix(data, "data: "))); err != nil {
			t.Errorf("%s: event %q: %v", where, name, err)
		}
	}
}

// checkLines checks each line of a file against the schema for lines, if there is one.
func (c *contract) checkLines(t testing.TB, where, at string, body []byte) {
	t.Helper()
	line := at + pointer("x-lectern-line")
	if c.at(line) == nil {
		return
	}
	for raw := range bytes.Lines(body) {
		if err := c.validateJSON(c.deref(line), raw); err != nil {
			t.Errorf("%s: line %s: %v", where, raw, err)
		}
	}
}

// missing lists documented responses that were not seen, and entries of unreached that were seen.
func (c *contract) missing() []string {
	var out []string
	for _, o := range c.ops {
		for status := range o.responses {
			one := o.id + " " + status
			if _, excused := unreached[one]; c.seen[one] == excused {
				out = append(out, one)
			}
		}
	}
	slices.Sort(out)
	return out
}

// A1: every route is described, every described operation has a route, and both have the same requirements.
func TestRoutesAndDescriptionAgree(t *testing.T) {
	routes := map[string]string{}
	for _, r := range adminapi.Routes() {
		scope := string(r.Scope)
		if scope == "" {
			scope = "none"
		}
		routes[r.OperationID] = fmt.Sprint(r.Method, " ", r.Pattern, " scope ", scope, " plan ", r.Plan, " idempotent ",
			r.Idempotent)
	}
	for _, o := range described.ops {
		want := fmt.Sprint(o.method, " ", o.pattern, " scope ", o.scope, " plan ", o.plan, " idempotent ", o.idempotent)
		if got := routes[o.id]; got != want {
			t.Errorf("%s: the route is %q, the description %q", o.id, got, want)
		}
		delete(routes, o.id)
	}
	for name := range routes {
		t.Errorf("the route %s is not described", name)
	}
}
