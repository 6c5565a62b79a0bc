package translation

import (
	"strings"
	"testing"
)

const original = `---
title: Start with {{product}}
description: How to start.
---

Install the workspace with ` + "`lectern new`" + `, then open {name} or %s in Lectern. See [deploy](/guides/deploy#costs), [home](../index) and
https://example.com/a.

## Steps {#steps}

<Card title="Next" href="/guides/deploy" icon="bolt">
Two workspaces.
</Card>

~~~bash title="Run"
lectern serve
lectern doctor
~~~

![A picture](/images/en/a.png)

### Limits
`

const translated = `---
title: Commencer avec {{product}}
description: Comment commencer.
translatedFrom: MARK
---

Ouvrez {name} ou %s dans Lectern, puis installez l'espace de travail avec ` + "`lectern new`" + `. Voir [l'accueil](/fr), [déployer](/fr/guides/deploy#couts) et
https://example.com/a.

## Étapes {#steps}

<Card icon="bolt" title="Suite" href="deploy">
Deux espaces de travail.
</Card>

~~~bash title="Lancer"
lectern serve
lectern doctor
~~~

![Une image](/images/fr/a.png)

### Limites
`

const glossary = `{"Lectern": "keep", "workspace": {"fr": ["espace de travail", "espaces de travail"], "de": "Arbeitsbereich"}}`

// compared returns the findings about a translation of the original, one per line.
func compared(t *testing.T, page string) string {
	t.Helper()
	mark := markOf(strings.ReplaceAll(original, "~~~", "```"))
	list, err := Check(t.Context(), docs(map[string]string{"docs.json": twoLanguages, "index.mdx": "# Home\n", "guides/start.mdx": original,
		"guides/deploy.mdx": "# Deploy\n", "fr/index.mdx": "# Accueil\n", "fr/guides/deploy.mdx": "# Déployer\n",
		"fr/guides/start.mdx": strings.Replace(page, "MARK", mark, 1), GlossaryFile: glossary}), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, d := range list {
		out.WriteString(d.String() + "\n")
	}
	return out.String()
}

func TestCorrectTranslationHasNoFindings(t *testing.T) {
	t.Parallel()
	if got := compared(t, translated); got != "" {
		t.Error(got)
	}
}

func TestTranslationIsComparedWithItsSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, changed, want string }{
		{"lectern doctor", "lectern docteur", `fr/guides/start.mdx:16:1: warning: The code block has "lectern docteur" where guides/start.mdx:15 has "lectern doctor". [translation-code]`},
		{"`lectern new`", "`lectern nouveau`", `fr/guides/start.mdx:7:75: warning: The inline code has "lectern nouveau" where guides/start.mdx:6 has "lectern new". [translation-code]`},
		{"avec `lectern new`", "", `fr/guides/start.mdx:6:1: warning: The translation lacks the inline code "lectern new" from guides/start.mdx:6. [translation-code]`},
		{"/fr/guides/deploy#couts", "/fr/index#couts", `The link has "/#" where guides/start.mdx:6 has "/guides/deploy#". [translation-link]`},
		{"/images/fr/a.png", "/images/fr/b.png", `fr/guides/start.mdx:21:1: warning: The image has "/images/b.png" where guides/start.mdx:20 has "/images/a.png". [translation-link]`},
		{"https://example.com/a", "https://example.fr/a", `The link has "https://example.fr/a" where guides/start.mdx:7 has "https://example.com/a". [translation-link]`},
		{` icon="bolt"`, ` titre="x"`, `fr/guides/start.mdx:12:1: warning: The component has "<Card href title titre>" where guides/start.mdx:11 has "<Card href icon title>". [translation-component]`},
		{"{name}", "{nom}", `The placeholder has "{nom}" where guides/start.mdx:6 has "{name}". [translation-placeholder]`},
		{"%s", "%d", `The placeholder has "%d" where guides/start.mdx:6 has "%s". [translation-placeholder]`},
		{"{{product}}", "{{produit}}", `fr/guides/start.mdx:1:1: warning: The placeholder has "{{produit}}" where guides/start.mdx:1 has "{{product}}". [translation-placeholder]`},
		{"### Limites", "## Limites", `fr/guides/start.mdx:23:1: warning: The heading has "##" where guides/start.mdx:22 has "###". [translation-structure]`},
		{"### Limites\n", "", `fr/guides/start.mdx:10:1: warning: The translation lacks the heading "###" from guides/start.mdx:22. [translation-structure]`},
		{" {#steps}", "", `lacks the heading id "{#steps}"`},
		{"description:", "beschreibung:", `fr/guides/start.mdx:3:1: warning: The front matter key has "beschreibung" where guides/start.mdx:3 has "description". [translation-structure]`},
		{"dans Lectern", "dans lectern", `fr/guides/start.mdx:6:1: warning: guides/start.mdx:6 uses the term "Lectern", but the translation does not contain "Lectern". [translation-term]`},
	} {
		got := compared(t, strings.Replace(translated, c.old, c.changed, 1))
		if !strings.Contains(got, c.want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s → %s:\n%swant\n%s", c.old, c.changed, got, c.want)
		}
	}
	got := compared(t, strings.NewReplacer("l'espace", "le lieu", "espaces", "lieux").Replace(translated))
	if !strings.Contains(got, `uses the term "workspace", but the translation does not contain "espace de travail" or "espaces de travail". [translation-term]`) {
		t.Error(got)
	}
}

func TestGlossaryTermsMatchWholeWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		term Term
		text string
		want bool
	}{
		{Term{Text: "page"}, "All Pages.", true}, {Term{Text: "page"}, "homepage, pager", false}, {Term{Text: "page"}, "pager page", true},
		{Term{Text: "Go", Keep: true}, "go on", false}, {Term{Text: "Go", Keep: true}, "in Go.", true}, {Term{Text: "作業"}, "この作業は", true},
	} {
		if got := c.term.usedIn(c.text); got != c.want {
			t.Errorf("%q in %q: %v", c.term.Text, c.text, got)
		}
	}
}

func TestUnusableGlossaryIsReported(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": }`: "translation-glossary.json:1:7: warning: The glossary cannot be parsed.", `[]`: "must be an object",
		`{"a": "b"}`:        `translation-glossary.json:1:7: warning: The term "a" has no usable value. [translation-glossary]`,
		`{"a": {"fr": []}}`: `The term "a" has no usable value.`, `{"a": "keep", "b": {"fr": "c"}}`: "",
	} {
		terms, list := loadGlossary(docs(map[string]string{GlossaryFile: text}))
		if want == "" && (len(terms) != 2 || len(list) != 0) || want != "" && (len(list) != 1 || !strings.Contains(list[0].String(), want)) {
			t.Errorf("%s: %v %v", text, terms, list)
		}
	}
}
