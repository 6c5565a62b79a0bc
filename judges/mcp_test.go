package judges

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// excuse is the reason why we do not pass a scenario of the conformance suite, with words from the expected failure. A
// different failure is not excused.
type excuse struct{ reason, words string }

// fixture is the reason for most excuses. The suite is designed for the protocol's libraries: most scenarios require a
// server with tools, prompts and resources with certain names that exist only for tests.
const fixture = "asks for a fixture of the suite's own, which a documentation site does not have"

// conformanceExcuses maps scenarios to excuses. The tests below check the same features on our own tools, prompts and
// resources with the protocol's client.
var conformanceExcuses = map[string]excuse{
	"completion-complete":           {fixture, `"test_prompt_with_arguments"`},
	"tools-call-simple-text":        {fixture, `unknown tool "test_simple_text"`},
	"tools-call-image":              {fixture, `unknown tool "test_image_content"`},
	"tools-call-audio":              {fixture, `unknown tool "test_audio_content"`},
	"tools-call-embedded-resource":  {fixture, `unknown tool "test_embedded_resource"`},
	"tools-call-mixed-content":      {fixture, `unknown tool "test_multiple_content_types"`},
	"tools-call-with-logging":       {fixture, `unknown tool "test_tool_with_logging"`},
	"tools-call-error":              {fixture, `unknown tool "test_error_handling"`},
	"tools-call-with-progress":      {fixture, `unknown tool "test_tool_with_progress"`},
	"tools-call-sampling":           {fixture, `unknown tool "test_sampling"`},
	"tools-call-elicitation":        {fixture, `unknown tool "test_elicitation"`},
	"elicitation-sep1034-defaults":  {fixture, `unknown tool "test_elicitation_sep1034_defaults"`},
	"elicitation-sep1330-enums":     {fixture, `unknown tool "test_elicitation_sep1330_enums"`},
	"resources-read-text":           {fixture, "Resource not found"},
	"resources-read-binary":         {fixture, "Resource not found"},
	"resources-templates-read":      {fixture, "Resource not found"},
	"prompts-get-simple":            {fixture, `unknown prompt "test_simple_prompt"`},
	"prompts-get-with-args":         {fixture, `unknown prompt "test_prompt_with_arguments"`},
	"prompts-get-embedded-resource": {fixture, `unknown prompt "test_prompt_with_embedded_resource"`},
	"prompts-get-with-image":        {fixture, `unknown prompt "test_prompt_with_image"`},
	"resources-subscribe":           {noSession, `method not found: "resources/subscribe"`},
	"resources-unsubscribe":         {noSession, `method not found: "resources/subscribe"`},
	"server-sse-multiple-streams":   {noSession, ""},
}

const noSession = "needs a session; ours has none, so that any replica can answer, and does not claim the capability"

// mcpSite writes a site with more pages than fit into one part of the resource list.
func mcpSite(t *testing.T) string {
	t.Helper()
	pages := []string{`"index"`, `"guides/start"`}
	files := map[string]string{
		"index.mdx":        "---\ntitle: Home\n---\n\nWelcome.\n",
		"guides/start.mdx": "---\ntitle: Start\n---\n\n## Fix the thruster\n\nBolt the thruster to the fuselage with four screws.\n",
	}
	for i := range 520 {
		name := fmt.Sprintf("parts/p%03d", i)
		pages = append(pages, `"`+name+`"`)
		files[name+".mdx"] = fmt.Sprintf("---\ntitle: Part %d\n---\n\nPart number %d.\n", i, i)
	}
	files["docs.json"] = `{"name": "Acme Rockets", "theme": "mint", "colors": {"primary": "#0F766E"},
		"navigation": {"pages": [` + strings.Join(pages, ", ") + `]}}`
	dir := t.TempDir()
	writeFiles(t, dir, files)
	return dir
}

// serveMCP serves a folder over HTTP until the end of the test.
func serveMCP(t *testing.T, dir string) string {
	t.Helper()
	address := lectern.FreeAddress(t)
	p := lectern.Spawn(t, binary, nil, "mcp", dir, "--listen", address)
	p.Await("the first page", func() bool { return lectern.Status("http://"+address+"/") == http.StatusOK })
	return "http://" + address + "/mcp"
}

func TestMCPServerConforms(t *testing.T) {
	t.Parallel()
	note := judged(t, "MCP server", npmVersion(t, "@modelcontextprotocol/conformance"))
	out := t.TempDir()
	cmd := nodeCommand(t, npmProgram(t, "conformance"), "server", "--url", serveMCP(t, mcpSite(t)), "--output-dir", out)
	text, err := cmd.CombinedOutput() // the command fails if any scenario fails, excused or not
	folders, globErr := filepath.Glob(filepath.Join(out, "server-*", "checks.json"))
	if globErr != nil || len(folders) < 25 {
		t.Fatalf("%d scenarios ran: %v %v\n%s", len(folders), globErr, err, text)
	}
	passed, excused := 0, map[string]bool{}
	for _, file := range folders {
		scenario := regexp.MustCompile(`^server-|-\d{4}-\d\d-\d\dT.*$`).
			ReplaceAllString(filepath.Base(filepath.Dir(file)), "")
		switch failure, failed := conformanceFailure(t, file); {
		case !failed:
			passed++
		case conformanceExcuses[scenario].reason == "" ||
			!strings.Contains(failure, conformanceExcuses[scenario].words):
			t.Errorf("%s: %s", scenario, failure)
		default:
			excused[scenario] = true
		}
	}
	for _, scenario := range slices.Sorted(maps.Keys(conformanceExcuses)) {
		if !excused[scenario] {
			t.Errorf("the excuse for %s is no longer needed", scenario)
		}
	}
	*note = fmt.Sprintf("%d scenarios, %d excused", passed, len(excused))
}

// conformanceFailure returns the first failed check of a scenario.
func conformanceFailure(t *testing.T, file string) (string, bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	var checks []struct{ ID, Status, ErrorMessage string }
	if err == nil {
		err = json.Unmarshal(text, &checks)
	}
	if err != nil || len(checks) == 0 {
		t.Fatalf("%s: %v\n%s", file, err, text)
	}
	for _, c := range checks {
		if c.Status != "SUCCESS" && c.Status != "INFO" {
			return c.ID + " " + c.Status + " " + c.ErrorMessage, true
		}
	}
	return "", false
}

func TestMCPClientUsesEveryFeature(t *testing.T) {
	t.Parallel()
	dir := mcpSite(t)
	for way, args := range map[string][]string{"over HTTP": {serveMCP(t, dir)},
		"over standard streams": {"stdio", binary, "mcp", dir}} {
		t.Run(way, func(t *testing.T) {
			judged(t, "MCP server "+way, npmVersion(t, "@modelcontextprotocol/sdk"))
			cmd := nodeCommand(t, "mcp.mjs", args...)
			read := tier.Choose(20, 1) // one in this many resources is read
			cmd.Env = append(cmd.Env, fmt.Sprintf("READ_EVERY=%d", read))
			text, err := cmd.CombinedOutput()
			var got struct {
				Server, Found, Page, Asked, Explained, Refused string
				Tools, Prompts, Completions                    []string
				Missing                                        bool
				Resources                                      int
				Texts                                          map[string]int
			}
			if err == nil {
				err = json.Unmarshal(text, &got)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for name, said := range map[string]string{"search_docs": got.Found, "read_page": got.Page,
				"ask_docs": got.Asked, "explain_page": got.Explained} {
				if !strings.Contains(said, "four screws") {
					t.Errorf("%s: %s", name, said)
				}
			}
			if got.Server != "Acme Rockets" || !got.Missing || got.Refused != "-32602" ||
				!slices.Equal(got.Completions, []string{"guides/start"}) ||
				!slices.Equal(got.Tools, []string{"read_page", "search_docs"}) ||
				!slices.Equal(got.Prompts, []string{"ask_docs", "explain_page"}) {
				t.Errorf("%s", text)
			}
			if got.Resources != 524 || len(got.Texts) < got.Resources/read || got.Texts["docs:///parts/p519"] == 0 || got.Texts["docs:///llms.txt"] == 0 {
				t.Errorf("%d resources: %v", len(got.Texts), got.Texts)
			}
		})
	}
}

// A program with a key can read sources and propose edits. The rules for agents apply, and the endpoints for readers
// have no such tools.
func TestMCPClientProposesEdits(t *testing.T) {
	t.Parallel()
	judged(t, "MCP server for edits", npmVersion(t, "@modelcontextprotocol/sdk"))
	s := serve(t)
	site := tour(t, s)
	run := func(key string) (out struct {
		Strangers, Tools                                                              []string
		Projects, Files, Missing, Dry, DryRefused, Good, More, State, Refused, Broken struct {
			Text   string
			Failed bool
		}
		Line, Job string
	}) {
		t.Helper()
		text, err := nodeCommand(t, "mcpedit.mjs", s.url+"/v1/mcp", key, site.Domain).CombinedOutput()
		if err == nil {
			err = json.Unmarshal(text, &out)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return out
	}
	got := run(s.key)
	if !slices.Equal(got.Strangers, []string{"401", "401"}) ||
		!slices.Equal(got.Tools, []string{"get_edit", "list_files", "list_projects", "propose_edit", "read_file"}) ||
		!strings.Contains(got.Projects.Text, site.ProjectID) || !strings.Contains(got.Files.Text, "guides/\n") || !got.Missing.Failed {
		t.Errorf("%+v", got)
	}
	if got.Good.Failed || got.Job == "" {
		t.Fatalf("%+v", got)
	}
	for name, said := range map[string]string{"not proposed": got.Refused.Text, "/nowhere-at-all": got.Broken.Text,
		"proposed at " + s.url: got.Good.Text + got.More.Text, got.Job: got.State.Text} {
		if !strings.Contains(said, name) {
			t.Errorf("%q is not in %s", name, said)
		}
	}
	for _, want := range []string{"Dry run: nothing was pushed or proposed.", "no new errors", "diff --git a/guides/first-cup.mdx",
		"+" + got.Line + " of tea"} { // the list below shows that nothing was proposed
		if !strings.Contains(got.Dry.Text, want) {
			t.Errorf("%q is not in %s", want, got.Dry.Text)
		}
	}
	if !strings.Contains(got.DryRefused.Text, "dry run, would not be proposed") {
		t.Errorf("%s", got.DryRefused.Text)
	}
	job, err := s.client.GetAgentJob(t.Context(), site.ProjectID, got.Job)
	if err != nil || job.PRLink == nil || job.Model != "submitted" {
		t.Fatalf("%+v, %v", job, err)
	}
	list, err := s.client.ListProposals(t.Context(), site.ProjectID, client.ListProposalsParams{})
	if err != nil || len(list.Proposals) != 1 || list.Proposals[0].Title != "Say hello" || list.Proposals[0].PreviewURL == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	changes, err := s.client.GetProposal(t.Context(), site.ProjectID, list.Proposals[0].ID)
	if err != nil || len(changes.Files) != 2 || !strings.Contains(*changes.Patch, "+"+got.Line+" of tea") {
		t.Errorf("%+v, %v", changes, err)
	}
	for name, c := range map[string]struct {
		method, host, origin string
		want                 int
	}{
		"a page in a browser": {http.MethodPost, "", "https://elsewhere.example", http.StatusForbidden},
		"a look":              {http.MethodGet, "", "", http.StatusMethodNotAllowed},
		"a site's host":       {http.MethodPost, site.Domain, "", http.StatusMethodNotAllowed},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, s.url+"/v1/mcp",
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		r.Header.Set("Authorization", "Bearer "+s.key)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s gets %d, want %d", name, answer.StatusCode, c.want)
		}
	}
	reader, err := s.client.CreateKey(t.Context(), client.CreateKey{Label: "reader", Scopes: []string{"read"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := run(reader.Secret); !got.Good.Failed || got.Files.Failed || got.Job != "" {
		t.Errorf("a key that may only read: %+v", got)
	}
}

func TestMCPInspectorListsAndCalls(t *testing.T) {
	t.Parallel()
	judged(t, "MCP server", npmVersion(t, "@modelcontextprotocol/inspector"))
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"docs.json": `{"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\n\nBolt the thruster with four screws.\n",
	})
	url := serveMCP(t, dir)
	// Each call starts Node, which takes more than a second of processor time.
	calls := []struct{ method, args, want string }{
		{"tools/call", "--tool-name search_docs --tool-arg query=thruster", "four screws"},
		{"tools/list", "", `"search_docs"`},
		{"resources/list", "", `"docs:///index"`},
		{"resources/templates/list", "", `"docs:///{+path}"`},
		{"resources/read", "--uri docs:///index", "four screws"},
		{"prompts/list", "", `"ask_docs"`},
		{"prompts/get", "--prompt-name explain_page --prompt-args path=/", "four screws"},
	}
	for _, c := range calls[:tier.Choose(2, len(calls))] {
		args := append([]string{"--cli", url, "--transport", "http", "--method", c.method}, strings.Fields(c.args)...)
		if text, err := nodeCommand(t, npmProgram(t, "mcp-inspector"), args...).CombinedOutput(); err != nil ||
			!strings.Contains(string(text), c.want) {
			t.Errorf("%s: %v\n%s", c.method, err, text)
		}
	}
}
