package rules

import (
	"strings"
	"testing"
)

// looseFolder is a docs folder as reported by the tools.
func looseFolder() *folderView {
	v := &folderView{folders: map[string]bool{}}
	for _, p := range [][2]string{{"index.mdx", "Acme"}, {"install.mdx", "Install Acme"}, {"faq.mdx", "Questions"},
		{"guides/start.mdx", "First steps"}, {"guides/overview.mdx", "Overview"}, {"api/overview.mdx", "Overview"}, {"api/errors.mdx", "Errors"},
		{"changelog.mdx", "Changelog"}, {"guides/rate-limits.mdx", "Rate limits"}} {
		v.add(p[0])
		v.entitle(p[0], p[1])
	}
	v.add("images/plan.svg")
	return v
}

// Actions are found anywhere in a request, with the pages and names that they apply to.
func TestLooseReadingProposesActions(t *testing.T) {
	for prompt, want := range map[string]string{
		"install.mdx really belongs into guides/, I think":                                 "move_pages install.mdx>guides/install.mdx",
		"It would be nice if the errors page could be found at /help/errors":               "move_pages api/errors.mdx>help/errors.mdx",
		"the install page => guides/setup":                                                 "move_pages install.mdx>guides/setup.mdx",
		"api/errors should sit below /help":                                                "move_pages api/errors.mdx>help/errors.mdx",
		"guides/start has to go to basics/":                                                "move_pages guides/start.mdx>basics/start.mdx",
		"guides/start.mdx to guides/begin.mdx please":                                      "move_pages guides/start.mdx>guides/begin.mdx",
		"i want the errors page gone":                                                      "delete_pages api/errors.mdx>",
		"Console → Portal on the errors page":                                              "rename_term Console>Portal in api/errors.mdx",
		"/begin shouldn't redirect any more":                                               "remove_redirects in /begin",
		"pls rename install to setup":                                                      "move_pages install.mdx>setup.mdx",
		"guides/start and api/errors go into a folder called basics":                       "move_pages guides/start.mdx>basics/start.mdx api/errors.mdx>basics/errors.mdx",
		"the faq is obsolete, throw it away. whoever comes there should end up on install": "delete_pages faq.mdx>install.mdx",
		"Nobody reads api/errors so let's delete it (redirect → guides/start)":             "delete_pages api/errors.mdx>guides/start.mdx",
		"api/errors should not be deleted, but please move it to help/errors":              "move_pages api/errors.mdx>help/errors.mdx",
		"Under no circumstances delete faq.mdx, just hide it from the menu":                "remove_from_navigation in faq.mdx",
		"people keep typing /docs/install, take them to the install page":                  "add_redirects /docs/install>/install",
		"When someone opens /limits they should get /guides/rate-limits":                   "add_redirects /limits>/guides/rate-limits",
		"drop the /setup redirect, we need that address":                                   "remove_redirects in /setup",
		`Everywhere we say "Acme Console" it must be "Acme Portal" now`:                    "rename_term Acme Console>Acme Portal",
		"product name changed from Acme Cloud to Acme One, docs need to follow":            "rename_term Acme Cloud>Acme One",
		"The word Console is wrong, it's Dashboard now":                                    "rename_term Console>Dashboard",
		`On the install page it says "red button" but the button is called "round button"`: "rename_term red button>round button in install.mdx",
		"4.3.0 ships tomorrow, all places with 4.1.0 have to be changed":                   "bump_version 4.1.0>4.3.0",
		"install.mdx still downloads v1.8.2. Current is v1.10.0.":                          "bump_version v1.8.2>v1.10.0 in install.mdx",
		`The release notes for 2.4.0 lack a line: "Webhooks are signed."`:                  "add_changelog_entry 2.4.0 Webhooks are signed.",
		"new changelog entry pls, version 2.4.1 - fixes a crash":                           "add_changelog_entry 2.4.1 fixes a crash",
		"the install link on the errors page 404s":                                         "fix_links in api/errors.mdx",
		"Change every link to /begin so that it goes to /guides/start":                     "fix_links /begin>/guides/start",
		`api/errors: alt of plan.svg = "The plan"`:                                         "add_alt_text plan.svg> The plan in api/errors.mdx",
		`Give install this meta description: "Two minutes."`:                               "add_descriptions Two minutes. in install.mdx",
		"the sidebar should list errors above faq":                                         "add_to_navigation in api/errors.mdx",
		`the menu group "API" should be named "Reference"`:                                 "rename_group API>Reference",
		"api/errors looks ugly in the editor, run your formatter on it":                    "format in api/errors.mdx",
	} {
		p, ok := theGrammar().loose(prompt, looseFolder())
		if !ok || len(p.choices) != 1 || short(p.choices[0]) != want || len(p.out) > 0 && !strings.Contains(prompt, "address") {
			t.Errorf("%q: %v %v, want %q; not part: %q; %s", prompt, ok, p.choices, want, p.out, p.question)
		}
	}
}

// The proposal lists the parts of the prompt that it leaves out, as they were written.
func TestLooseReadingListsOmittedParts(t *testing.T) {
	for prompt, want := range map[string][2]string{
		"move install.mdx into guides/ but don't touch the title":             {"move_pages install.mdx>guides/install.mdx", "but don't touch the title"},
		"if it is unused, throw faq.mdx away":                                 {"delete_pages faq.mdx>", "if it is unused"},
		"Could faq.mdx live under guides/ please? Also mention Windows there": {"move_pages faq.mdx>guides/faq.mdx", "Also mention Windows there"},
	} {
		p, ok := theGrammar().loose(prompt, looseFolder())
		if !ok || len(p.choices) != 1 || short(p.choices[0]) != want[0] || strings.Join(p.out, "|") != want[1] {
			t.Errorf("%q: %v %v, not part: %q", prompt, ok, p.choices, p.out)
		}
		if text := p.text(); !strings.Contains(text, "\nNot part of it:\n\n- `"+want[1]+"`\n") || !strings.Contains(text, "Answer `yes` to do it") {
			t.Errorf("%q is asked as\n%s", prompt, text)
		}
	}
}

// If two pages match, the person chooses one; if information is missing, the model asks for it and proposes nothing
// else.
func TestLooseReadingAsksForMissingInformation(t *testing.T) {
	p, ok := theGrammar().loose("rename the Overview page to summary", looseFolder())
	if !ok || len(p.choices) != 2 || short(p.choices[0])+"|"+short(p.choices[1]) !=
		"move_pages guides/overview.mdx>guides/summary.mdx|move_pages api/overview.mdx>api/summary.mdx" {
		t.Errorf("%v %+v", ok, p)
	}
	if text := p.text(); !strings.Contains(text, "\n2. move `api/overview.mdx` to") || !strings.HasSuffix(text, "Answer `1` or `2`, or say it in other words.") {
		t.Errorf("it is asked as\n%s", text)
	}
	for prompt, want := range map[string]string{
		"please move it to guides/":                   "Which page should be moved to `guides/`?",
		"rename guides/start.mdx":                     "What is the new path of `guides/start.mdx`?",
		"we need a redirect for /help":                "Which page should `/help` lead to?",
		"move guides/nowhere.mdx to api/nowhere":      "There is no page `guides/nowhere.mdx`. Which page should be moved to `api/nowhere`?",
		"throw faq.mdx away and redirect to the moon": "Which page should readers of the deleted page be sent to?",
		"Replace foo with bar in the handbook":        "Which page or folder is `handbook`?",
		"bump the docs to 2.0.0":                      "Which version should become `2.0.0`",
	} {
		if p, ok := theGrammar().loose(prompt, looseFolder()); !ok || len(p.choices) > 0 || !strings.HasPrefix(p.question, want) {
			t.Errorf("%q: %v %+v", prompt, ok, p)
		}
	}
}

// Negated requests, questions, reports and writing tasks are not proposed, nor are changes that go beyond the request.
func TestLooseReadingIgnoresOtherRequests(t *testing.T) {
	for _, prompt := range []string{
		"Can you make guides/start nicer?", "Change the title of guides/start to \"CI\"", "Write a tutorial about billing",
		"Move the second paragraph of guides/start to api/errors", "Add a link from guides/start to api/errors", "Copy guides/start to api/start",
		"replace the image on the home page with images/new.svg", "Delete \"phone\" from guides/start", "Merge faq.mdx into guides/start and delete it",
		"remove the section about rain from guides/start", "Do not delete guides/start", "we should not move guides/start to api/start",
		"Never change \"phone\" to \"mobile\"", "Why was guides/start moved to api/start?", "Should guides/start be moved to api/start?",
		"add \"phone\" to guides/start", "Write an upgrade guide from 1.0.0 to 2.0.0", "I moved guides/start to api/start yesterday",
		"Please cut release 1.9.0 in CHANGELOG.md: what is under Unreleased becomes 1.9.0", "Compare guides/start to guides/begin",
		"move the second half of guides/start to a new page guides/more", "Move what guides/start says about limits to guides/limits",
		"What would happen if we delete guides/start?", "Please don't rename guides/start to api/start yet", "delete all pages",
		"Rename the heading \"Network\" in guides/start to \"Wi-Fi\"", "Redirect everything to https://evil.example.net", "Explain the errors page",
		"replace \"foo\" with \"bar\" except in guides/start.mdx", "everything but the guides: replace \"foo\" with \"bar\"",
		"Fix broken links, but leave the guides alone unless they are about CI", "Split guides/start into one page per provider",
		"Delete everything in guides/", "Change the theme colour to green", "asdf qwer", strings.Repeat("move install.mdx to guides/ ", 100),
	} {
		if p, _ := theGrammar().loose(prompt, looseFolder()); len(p.choices) > 0 {
			t.Errorf("%q is proposed as %s", prompt, short(p.choices[0]))
		}
	}
}
