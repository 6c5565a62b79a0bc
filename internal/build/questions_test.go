package build_test

// questionsAboutUs lists queries about our docs, with the page that answers each. best means that this page must be the
// first result.
var questionsAboutUs = []struct {
	question, page string
	best           bool
}{
	// Titles and headings.
	{"quickstart", "quickstart", true}, {"front matter", "reference/front-matter", true},
	{"static export", "guides/static-export", true}, {"diagrams", "components/diagrams", true},
	{"architecture", "architecture", true}, {"findings", "reference/findings", true},
	{"claims", "reference/claims", true}, {"configuration", "reference/configuration", true},
	{"site file", "reference/site-file", true}, {"callouts", "components/callouts", true},
	{"cards", "components/cards", true}, {"accordion", "components/structure", true},
	{"webhooks", "guides/projects", true}, {"backups", "guides/backup", true}, {"command line", "reference/cli", true},
	{"appearance", "write/appearance", true},
	// Unfinished words.
	{"quickst", "quickstart", true}, {"static exp", "guides/static-export", true},
	{"diag", "components/diagrams", false}, {"config", "reference/configuration", false},
	{"front mat", "reference/front-matter", true}, {"callo", "components/callouts", true},
	// Typing errors.
	{"quikstart", "quickstart", true}, {"qiuckstart", "quickstart", true}, {"accordoin", "components/structure", true},
	{"webhok", "guides/projects", true}, {"confguration", "reference/configuration", true},
	{"achitecture", "architecture", true}, {"statc export", "guides/static-export", true},
	{"diagarms", "components/diagrams", true}, {"bakcup", "guides/backup", true}, {"wuickstart", "quickstart", true},
	{"quick start", "quickstart", true},
	// Names as written in code.
	{"lectern check", "reference/cli", false}, {"lectern export", "reference/cli", false},
	{"deployment.type", "reference/configuration", true}, {"features.search", "reference/configuration", false},
	{"AccordionGroup", "components/structure", false}, {"CodeGroup", "components/code", true},
	{"ParamField", "components/fields", true}, {"sidebarTitle", "reference/front-matter", false},
	{"codegroup", "components/code", false}, {"docs.json", "reference/site-file", false}, {"start static export job",
		"reference/api/static-export/start-static-export-job", true},
	{"/v1/deployment", "reference/api/server/get-deployment", false}, {"Idempotency-Key", "guides/api", false},
	{"LECTERN_DATABASE", "reference/configuration", false},
	// Sentences.
	{"how do I publish a git repository", "quickstart", false}, {"how to make a backup of the server",
		"guides/operations", false}, {"highlight lines of code", "components/code", false},
	{"verify the signature of a push", "guides/projects", false}, {"which database can I use",
		"reference/configuration", false}, {"hide a page from the sidebar", "reference/front-matter", false},
	{"mermaid", "components/diagrams", true}, {"postgres and s3", "guides/operations", true},
	{"mdx parser", "decisions/0011-own-mdx-parser", true}, {"why quickjs", "decisions/0012-author-code", true},
}
