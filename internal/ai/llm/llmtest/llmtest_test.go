package llmtest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// complaints replaces the testing.T that a server reports errors to.
type complaints struct {
	testing.TB
	list []string
}

func (c *complaints) Errorf(format string, args ...any) {
	c.list = append(c.list, fmt.Sprintf(format, args...))
}

// The servers are strict: the real servers would refuse each of these requests, and each fails the test that sends it.
func TestFakeServersRefuseInvalidRequests(t *testing.T) {
	const tool = `{"name":"read","input_schema":{"type":"object"}}`
	good := `{"model":"scripted-1","max_tokens":5,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`
	cases := map[Dialect][]string{
		Anthropic: {
			strings.Replace(good, `"max_tokens":5,`, "", 1),
			strings.Replace(good, `"stream":true`, `"stream":false`, 1),
			strings.Replace(good, `"model"`, `"modal"`, 1),
			strings.Replace(good, `"text":"hi"`, `"text":" "`, 1),
			strings.Replace(good, `"role":"user"`, `"role":"assistant"`, 1),
			strings.Replace(good, `"role":"user"`, `"role":"system"`, 1),
			strings.Replace(good, `[{"type":"text","text":"hi"}]`, `[]`, 1),
			strings.Replace(good, `"messages"`, `"temprature":1,"messages"`, 1),
			strings.Replace(good, `"messages"`,
				`"tools":[{"name":"read it","input_schema":{"type":"object"}}],"messages"`, 1),
			strings.Replace(good, `"messages"`, `"tools":[{"name":"read"}],"messages"`, 1),
			strings.Replace(good, `}]}]}`,
				`}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]},{"role":"user","content":[{"type":"text","text":"x"}]}],"tools":[`+tool+`]}`, 1),
			strings.Replace(good, `}]}]}`,
				`}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":"{}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}],"tools":[`+tool+`]}`, 1),
			strings.Replace(good, `}]}]}`,
				`}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b"}]}],"tools":[`+tool+`]}`, 1),
			strings.Replace(good, `}]}]}`,
				`}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}`, 1),
			`not json`, good + `x`,
		},
		OpenAI: {
			`{"model":"scripted-1","stream":true,"messages":[{"role":"user","content":"hi"}]}`,
			`{"model":"scripted-1","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user"}]}`,
			`{"model":"scripted-1","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"tool","tool_call_id":"a","content":"x"}]}`,
			`{"model":"scripted-1","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"},{"role":"user","content":"hi"}]}`,
			`{"model":"scripted-1","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"robot","content":"hi"}]}`,
			`{"model":"scripted-1","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"x"}}]}`,
			`{"model":"scripted-1","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"functions":[]}`,
		},
	}
	for dialect, bodies := range cases {
		for i, body := range bodies {
			c := &complaints{TB: t}
			s := Start(c, Options{Dialect: dialect, Script: Script{Say("x")}})
			if status := post(t, s, body, nil); status != http.StatusBadRequest || len(c.list) != 1 {
				t.Errorf("%s, body %d: status %d, complaints %q: %s", dialect, i, status, c.list, body)
			}
		}
	}
	c := &complaints{TB: t}
	s := Start(c, Options{Dialect: Anthropic, Script: Script{Say("x").Expecting("hi")}})
	if status := post(t, s, good, nil); status != http.StatusOK || len(c.list) > 0 {
		t.Errorf("a good request: status %d, complaints %q", status, c.list)
	}
	for name, change := range map[string]func(*http.Request){
		"method":      func(r *http.Request) { r.Method = http.MethodPut },
		"path":        func(r *http.Request) { r.URL.Path = "/v1/complete" },
		"version":     func(r *http.Request) { r.Header.Del("Anthropic-Version") },
		"type":        func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
		"stray key":   func(r *http.Request) { r.Header.Set("User-Agent", "x "+s.Key) },
		"expectation": nil,
	} {
		c.list = nil
		body := good
		if change == nil {
			body = strings.Replace(good, "hi", "ho", 1)
		}
		if post(t, s, body, change); len(c.list) != 1 {
			t.Errorf("%s: complaints %q", name, c.list)
		}
	}
}

func post(t *testing.T, s *Server, body string, change func(*http.Request)) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+s.dialect.path(),
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", s.Key)
	req.Header.Set("Anthropic-Version", "2023-06-01")
	if s.opt.Dialect == OpenAI {
		req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + s.Key}}
	}
	if change != nil {
		change(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

func TestScriptsAreReadFromJSON(t *testing.T) {
	script, err := ParseScript([]byte(`{"steps":[
		{"expect":["links"],"failure":["overloaded"],"text":"Looking.","calls":[{"name":"read","input":{"path":"a"}},{"name":"read","input":"{\"pa"}],"usage":{"input":5,"output":2}},
		{"text":"No.","stop":"refused"},{"text":"Done."}]}`))
	if err != nil || len(script) != 3 {
		t.Fatalf("%d steps, %v", len(script), err)
	}
	first := script[0].Answer
	if first.Stop != llm.Calling || string(first.Calls[0].Input) != `{"path":"a"}` ||
		string(first.Calls[1].Input) != `{"pa` || first.Usage.Input != 5 ||
		script[0].Failure[0] != Overloaded || script[1].Answer.Stop != llm.Refused ||
		script[2].Answer.Stop != llm.Done {
		t.Errorf("%+v", script)
	}
	for _, bad := range []string{`{"steps":[{"failure":["weather"]}]}`, `{"stepps":[]}`, `[]`} {
		if _, err := ParseScript([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
