package browser

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func checkBody(t *testing.T, p *page, a *petServer, site string) {
	p.openPlayground(site + operationPage("Create"))
	p.runScript(`fill("name", "R")`)
	p.runScript(`(document.querySelector(".try-send").click(), true)`)
	p.waitFor(`document.querySelector(".try-warn").textContent.includes("name needs at least 2 characters")`)
	p.runScript(`fill("name", "Rex")`)
	p.runScript(
		`press("tags") && press("Add item") && fill("tags item", "a") && press("Add item") && fill("tags item", "b", 1) && press("Add item") && fill("tags item", "c", 2)`)
	p.runScript(`(document.querySelectorAll('.try-list [aria-label="Move up"]')[2].click(), true)`) // a c b
	p.runScript(`(document.querySelectorAll('.try-list [aria-label="Remove"]')[0].click(), true)`)  // c b
	p.runScript(`press("owner") && fill("email", "a@b.c") && fill("password", "hidden!")`)
	p.runScript(`fill("size", "1")`)
	p.runScript(`press("more") && press("Add a field")`)
	p.runScript(
		`(() => { const pair = document.querySelector(".try-pair"); pair.querySelector("input").value = "extra"; pair.querySelectorAll("input")[1].value = "12345678901234567890"; pair.dispatchEvent(new Event("input", { bubbles: true })); return true; })()`)
	cat := eval[string](p, `document.querySelector(".try-request code").textContent`)
	if !strings.Contains(cat, `"type": "cat"`) {
		t.Errorf("the first alternative: %s", cat)
	}
	heads := eval[string](p, `[...document.querySelectorAll(".try-head")].map((e) => e.textContent).join()`)
	if !strings.Contains(heads, "Cat or Dog") {
		t.Errorf("the alternatives have no names: %s", heads)
	}
	p.runScript(
		`(() => { const e = [...document.querySelectorAll(".try select")].find((s) => [...s.options].some((o) => /dog/i.test(o.textContent))); e.value = [...e.options].find((o) => /dog/i.test(o.textContent)).value; e.dispatchEvent(new Event("change", { bubbles: true })); return true; })()`)
	p.runScript(`fill("barks", "0")`)
	// home and note become null
	p.runScript(`press("home") && ([...document.querySelectorAll(".try-null input")].forEach((box) => box.click()), true)`)
	p.sendRequest()
	got := a.lastRequest()
	want := `{"home":null,"kind":{"barks":true,"type":"dog"},"more":{"extra":12345678901234567890},"name":"Rex","note":null,"owner":{"email":"a@b.c","password":"hidden!"},"size":"large","tags":["c","b"]}`
	p.expectEqual("body", sorted(t, got.body), want)
	p.expectEqual("type", got.header.Get("Content-Type"), "application/json")

	// The text and the form have the same content. Invalid JSON is reported, and has no form.
	p.runScript(`press("JSON")`)
	p.expectEqual("raw", sorted(t, eval[string](p, `document.querySelector(".try-raw").value`)), want)
	raw := func(text string) {
		q, _ := json.Marshal(text)
		p.runScript(`(() => { const e = document.querySelector(".try-raw"); e.value = ` + string(q) +
			`; e.dispatchEvent(new Event("input", { bubbles: true })); return true; })()`)
	}
	raw(`{"name": "Tom", }`)
	p.waitFor(
		`document.querySelector(".try-body > .try-wrong").textContent === "Line 1, column 17: a name in double quotes is missing."`)
	p.runScript(`press("Form")`)
	p.expectEqual("still text", eval[string](p, `String(document.querySelector(".try-raw") !== null)`), "true")
	raw(`{"name": "Tom", "kind": {"type": "cat", "lives": 3}, "unknown": [1]}`)
	p.runScript(`press("Form")`)
	p.expectEqual("form", eval[string](p, `field("name").value + field("lives").value`), "Tom3")
	p.sendRequest()
	p.expectEqual("body after the text", sorted(t, a.lastRequest().body),
		`{"kind":{"lives":3,"type":"cat"},"name":"Tom","unknown":[1]}`)
	kept := eval[string](p, `JSON.stringify({ ...localStorage })`)
	if strings.Contains(kept, "hidden!") || !strings.Contains(kept, "a@b.c") {
		t.Errorf("the history stores %s", kept)
	}
}

// sorted returns a JSON text with its members sorted and its numbers unchanged.
func sorted(t *testing.T, text string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

func checkFile(t *testing.T, p *page, a *petServer, site string) {
	p.openPlayground(site + operationPage("Upload"))
	p.runScript(`files("photo", ["ü.png", "text/plain", "PNG"])`)
	p.runScript(`files("pages", ["1.txt", "text/plain", "eins"], ["2.bin", "", "zwei"])`)
	p.sendRequest()
	parts := a.lastRequest().parts(t)
	slices.Sort(parts)
	p.expectEqual("parts", strings.Join(parts, "\n"),
		"caption  : Fünf\nmeta  application/json: {\"n\":5}\npages 1.txt text/plain: eins\npages 2.bin application/octet-stream: zwei\nphoto ü.png image/png: PNG")

	p.openPlayground(site + operationPage("Form"))
	p.sendRequest()
	fields := strings.Split(a.lastRequest().body, "&")
	slices.Sort(fields)
	p.expectEqual("form", strings.Join(fields, "&"), "ids=1&ids=2&o=%7B%22k%22%3A%22v%22%7D&q=a%26b")

	p.openPlayground(site + operationPage("Text"))
	p.runScript(`fill("Body", "<a>ü</a>")`)
	p.sendRequest()
	p.expectEqual("text", a.lastRequest().header.Get("Content-Type")+" "+a.lastRequest().body, "application/xml <a>ü</a>")

	p.openPlayground(site + operationPage("Raw"))
	p.runScript(`files("File", ["x", "", "\u0000raw"])`)
	p.sendRequest()
	p.expectEqual("raw", a.lastRequest().header.Get("Content-Type")+" "+a.lastRequest().body, "application/octet-stream \x00raw")
}
