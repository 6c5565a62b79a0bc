package rules

// Ability is a kind of request that the rule-based agent understands.
type Ability struct {
	Request string   // an example
	Also    []string // other wordings
	Result  string   // what happens, in a few words
}

// Abilities lists the requests. The docs, the dashboard's form and the agent's own answers show this list.
func Abilities() []Ability {
	return []Ability{
		{"fix broken links and anchors", []string{"Check all links and fix the broken ones", "fix dead links in guides/start.mdx"},
			"links, images, anchors, navigation entries and redirects; asks if several pages are near"},
		{"point links to /old to /new", []string{"links to /old should go to /new"}, "links to one path lead to another page"},
		{"move guides/a.mdx to start/a.mdx", []string{"rename guides/a.mdx to guides/b.mdx and update all links",
			"move the folder guides/old to archive/old"}, "with links, navigation and redirects"},
		{"delete guides/old.mdx and redirect it to guides/new", []string{"remove the page guides/old.mdx"},
			"with links, navigation and a redirect; asks for a target if pages link to it"},
		{"add a redirect from /old to /new", []string{"I moved guides/a.mdx to start/a.mdx. Please add a redirect.",
			"add missing redirects"}, "from old addresses of pages"},
		{"remove the redirect from /old", []string{"/old should no longer redirect"}, "the address is free for a page"},
		{"add missing descriptions", []string{"Give every page without one a description", "guides/start.mdx has no description. Add one."},
			"from headings, never a repeated first paragraph"},
		{"set the description of guides/start.mdx to \"How to begin\"", []string{"guides/start.mdx has no description, please use: How to begin"},
			"the text that you give"},
		{"add alt text to all images", []string{"add alt text to the images in guides/start.mdx"}, "from the names of the files"},
		{"set the alt text of plan.png in guides/start.mdx to \"The plan\"", nil, "the text that you give"},
		{"format all pages", []string{"format guides/start.mdx and index.mdx"}, "nothing that readers see changes"},
		{"bump version 1.2.3 to 1.3.0", []string{"replace version 1.2.3 with 1.3.0"}, "in text and code, not in changelogs"},
		{"rename Foo to Bar", []string{"use \"allowlist\" instead of \"whitelist\"",
			"We renamed Foo to Bar, please update the docs"}, "a term in visible text, not in code"},
		{"add a changelog entry for 1.3.0: Exports can be scheduled",
			[]string{"Mention in the changelog that exports can be scheduled"}, "in a changelog page or CHANGELOG.md"},
		{"add orphan pages to the navigation", []string{"make sure all pages are listed in the navigation"},
			"next to pages of the same folder"},
		{"put guides/b after guides/a in the navigation", []string{"In the sidebar, guides/b should come before guides/c"},
			"adds or moves the page"},
		{"rename the navigation group \"Guides\" to \"How-to guides\"", []string{"the group \"Guides\" should be called \"How-to guides\""},
			"addresses stay"},
		{"remove guides/a.mdx from the navigation", []string{"hide guides/a from the sidebar, but keep the page"}, "the page stays"},
	}
}
