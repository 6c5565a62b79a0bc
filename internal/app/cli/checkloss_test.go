package cli

import (
	"strings"
	"testing"
)

func TestCheckReportsHeadingsThatLostTheirID(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	files["index.mdx"] = page("Welcome", "See [costs](/guides/deploy#costs).")
	s := newGitSite(t, files)
	s.commit("Rename headings", map[string]string{
		"guides/deploy.mdx": page("Deploy", "## Hosts", "Many.", "## Prices", "Few."),
		"guides/start.mdx":  page("Start", "## Step one {#first-step}", "Do it.", `<a id="second-step"></a>`, "Again."),
	})
	got := s.check().want(t, 0, "3 warnings").printed(t,
		`guides/deploy.mdx: warning: The page had a heading with the id "servers"`, `"/guides/deploy#costs"`, "[lost-anchor]",
		"[broken-anchor]")
	if strings.Contains(got.stdout, "step") {
		t.Errorf("ids that were kept are reported:\n%s", got.stdout)
	}
	s.commit("Move and rename", map[string]string{"guides/deploy.mdx": "",
		"run.mdx": page("Deploy", "## Hosts", "Many.", "## Cost", "Few.")})
	s.check().want(t, 1, "1 moved").printed(t, `run.mdx: warning: The page had a heading with the id "prices"`,
		"If the heading is now #cost, keep its id: ## Heading {#prices}")
}

func TestCheckReportsBreakingChangesOfAnAPI(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	files["api.yaml"] = petAPI
	files["docs.json"] = `{"name": "S", "navigation": {"groups": [{"group": "A", "pages": ["index"]},
		{"group": "API", "openapi": "api.yaml"}]}}`
	s := newGitSite(t, files)
	s.commit("Add only", map[string]string{"api.yaml": strings.NewReplacer("            mail: {type: string}",
		"            mail: {type: string}\n            phone: {type: string}", "summary: List", "description: D\n      summary: List",
	).Replace(petAPI)})
	s.check("--strict").want(t, 0, "no page was added").quiet(t)

	s.git("reset", "-q", "--hard", "HEAD~1")
	api := strings.NewReplacer("            mail: {type: string}", "            phone: {type: string}",
		"required: [name]", "required: [name, tag]",
		"- {name: limit, in: query, schema: {type: integer}}", "- {name: limit, in: query, required: true, schema: {type: integer}}",
		"        - {name: sort, in: query, schema: {type: string}}\n", "").Replace(petAPI)
	api = api[:strings.Index(api, "  /pets/{id}:")] + api[strings.Index(api, "components:"):]
	s.commit("Break it", map[string]string{"api.yaml": api})
	got := s.check("--all").want(t, 1).printed(t,
		"api.yaml: warning: The operation DELETE /pets/{id} was published but no longer exists. [api-operation-removed]",
		`GET /pets: the query parameter "sort" is gone. [api-parameter-removed]`,
		`GET /pets: the query parameter "limit" is required now. [api-required-added]`,
		`GET /pets: the field "[].owner.mail" of the response 200 is gone. [api-response-removed]`,
		`POST /pets: the request field "owner.mail" is gone. [api-parameter-removed]`,
		`POST /pets: the request field "tag" is required now. [api-required-added]`,
		"[lost-address]") // for the operation's page
	if n := strings.Count(got.stdout, "[api-"); n != 6 {
		t.Errorf("%d findings about the API, want 6:\n%s", n, got.stdout)
	}
	if !strings.Contains(got.stdout, "api.yaml:8:") {
		t.Errorf("a finding lacks its position:\n%s", got.stdout)
	}
}

func TestCheckReportsPageThatSearchNoLongerFinds(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	s := newGitSite(t, files)
	more := map[string]string{}
	pages := `"index", "guides/start", "guides/deploy"`
	for _, name := range []string{"a", "b", "c", "d"} {
		more["deploy-"+name+".mdx"] = "---\ntitle: Deploy deploy " + name + "\nkeywords: [deploy]\nboost: 50\n---\n\n" +
			strings.Repeat("Deploy. ", 40) + "\n"
		pages += `, "deploy-` + name + `"`
	}
	more["docs.json"] = `{"name": "S", "navigation": {"pages": [` + pages + `]}}`
	s.commit("Crowd", more)
	s.check().want(t, 0, "4 added").printed(t, "guides/deploy.mdx: warning: Readers who searched for the title \"Deploy\"",
		"[search-rank-lost]")
}
