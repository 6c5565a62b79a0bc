package score

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// The checks of pages in HTML.

func canonical(_ context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		u, err := url.Parse(one.canonical)
		if one.canonical == "" || err != nil || u.Host == "" {
			return false, fmt.Sprintf("canonical address is %q", one.canonical)
		}
		rel, ok := p.below(one.canonical)
		return ok && (rel == one.path || one.path == "/"), "its canonical address is " + one.canonical
	})
}

func descriptions(_ context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		if one.title == "" {
			return false, "no title"
		}
		return one.description != "", "no description"
	})
}

func structured(_ context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		for _, block := range one.data {
			var v map[string]any
			if json.Unmarshal([]byte(block), &v) == nil && v["@context"] != nil {
				return true, ""
			}
		}
		return false, fmt.Sprintf("JSON-LD blocks: %d, none with @context", len(one.data))
	})
}

func headings(_ context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		first, last := 0, 0
		for _, level := range one.levels {
			if level == 1 {
				first++
			}
			if last > 0 && level > last+1 {
				return false, fmt.Sprintf("h%d follows h%d", level, last)
			}
			last = level
		}
		return first == 1, fmt.Sprintf("h1 elements: %d", first)
	})
}

func altTexts(_ context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		if one.response.kind() != "text/html" {
			return false, "no HTML"
		}
		return len(one.unnamed) == 0, "without alt: " + strings.Join(one.unnamed, ", ")
	})
}

// textLeast is the minimum length of the text in a page's HTML, in characters. It does not apply if the page's Markdown
// is just as short.
const textLeast = 200

func noScript(ctx context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		if one.response.Status != http.StatusOK {
			return false, one.response.say(one.path)
		}
		n := len(strings.Join(strings.Fields(one.all), " "))
		if twin, ok := p.twinOf(ctx, one); n < textLeast && ok {
			return share(words(prose(string(twin.Body))), words(one.all)) > 0.5,
				fmt.Sprintf("%d characters of text, less than in its Markdown", n)
		}
		return n >= textLeast, fmt.Sprintf("%d characters of text", n)
	})
}

const weightMost = 500_000 // bytes

func weight(_ context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		n := len(one.response.Body)
		return one.response.Status == http.StatusOK && n <= weightMost, fmt.Sprintf("%d bytes", n)
	})
}

// parityLeast is the minimum share of the words in one form of a page that must also be in the other.
const parityLeast = 0.8

func parity(ctx context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		twin, ok := p.twinOf(ctx, one)
		if !ok {
			return false, "no Markdown form"
		}
		text := prose(string(twin.Body))
		there, back := share(words(text), words(one.all+" "+one.title+" "+one.description)),
			share(words(one.text), words(string(twin.Body)))
		return there >= parityLeast && back >= parityLeast,
			fmt.Sprintf("words of the Markdown in the HTML: %.0f %%, of the HTML in the Markdown: %.0f %%", 100*there,
				100*back)
	})
}

// prose returns Markdown without addresses, front matter, tags and instructions for agents. The words in these parts
// are not in the HTML.
func prose(text string) string {
	if body, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, rest, ok := strings.Cut(body, "\n---\n"); ok {
			text = rest
		}
	}
	for _, r := range noise {
		text = r.ReplaceAllString(text, " ")
	}
	return text
}
