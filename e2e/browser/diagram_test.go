package browser

import (
	"fmt"
	"strings"
	"testing"
)

// diagrams has one diagram of each common kind, and one with its own styles.
var diagrams = []string{
	"flowchart LR\n  A[Start] --> B{Good?}\n  B -->|yes| C([End])\n  classDef hot fill:#f96,stroke:#333,stroke-width:4px\n  class A hot\n  style B fill:#bbf,stroke:#f66,color:#fff",
	"sequenceDiagram\n  Alice->>Bob: Hello\n  Note right of Bob: thinks\n  Bob-->>Alice: Hi",
	"classDiagram\n  Animal <|-- Duck\n  class Animal{\n    +int age\n    +swim()\n  }",
	"stateDiagram-v2\n  [*] --> Still\n  Still --> Moving\n  Moving --> [*]",
	"erDiagram\n  CUSTOMER ||--o{ ORDER : places",
	"gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section A\n  One :a1, 2026-01-01, 10d",
	"pie title Pets\n  \"Dogs\" : 3\n  \"Cats\" : 2",
	"gitGraph\n  commit\n  branch develop\n  commit\n  checkout main\n  merge develop",
	"mindmap\n  root((mind))\n    One\n    Two",
	"timeline\n  title History\n  2024 : One\n  2025 : Two",
	"journey\n  title Day\n  section Work\n    Make tea: 5: Me",
	"quadrantChart\n  title Reach\n  x-axis Low --> High\n  y-axis Low --> High\n  A: [0.3, 0.6]",
}

// C5: diagrams are drawn correctly under the pages' content security policy, which allows no inline styles.
func TestDiagramsNeedNoInlineStyle(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	// long enough that nothing is drawn before the test listens
	page.WriteString("---\ntitle: Drawn\n---\n" + strings.Repeat("Text.\n\n", 300))
	for i, d := range diagrams {
		fmt.Fprintf(&page, "## D%d\n\n```mermaid\n%s\n```\n\n", i, d)
	}
	s := serve(t, "docs.json", pagesJSON, "index.mdx", "---\ntitle: One\n---\n[drawn](/drawn)\n", "drawn.mdx",
		page.String())
	p := openURL(t, s.URL+"/drawn")
	eval[bool](p,
		`(window.broken = [], document.addEventListener("securitypolicyviolation", (e) => broken.push(e.violatedDirective + " " + e.sample + " " + e.sourceFile + ":" + e.lineNumber)), true)`)
	for i := range diagrams {
		eval[bool](p, fmt.Sprintf(
			`(document.querySelectorAll("figure.mermaid")[%d].scrollIntoView({behavior: "instant"}), true)`, i))
		p.waitFor(fmt.Sprintf(`document.querySelectorAll("figure.mermaid")[%d].dataset.state !== undefined`, i))
		p.expectEqual(fmt.Sprint("state of diagram ", i),
			eval[string](p, fmt.Sprintf(`document.querySelectorAll("figure.mermaid")[%d].dataset.state`, i)), "drawn")
	}
	p.expectEqual("what the rules forbade", eval[string](p, `JSON.stringify([...new Set(broken)])`), "[]")
	p.expectEqual("diagrams wider than their column", eval[string](p,
		`String([...document.querySelectorAll(".mermaid-drawing")].filter((d) => d.scrollWidth > d.clientWidth + 1).length)`), "0")
	p.expectEqual("a style of the source", eval[string](p,
		`getComputedStyle(document.querySelector("figure.mermaid svg g.node.hot rect")).strokeWidth`), "4px")
	p.expectEqual("sheets for the drawings",
		eval[string](p, fmt.Sprintf(`String(document.adoptedStyleSheets.length >= %d)`, len(diagrams))), "true")
	p.checkConsole()
}

// When a diagram is in the initial viewport, its source is never visible, and the content below it does not move when
// the diagram is drawn.
func TestDrawingDiagramCausesNoLayoutShift(t *testing.T) {
	t.Parallel()
	wide := "flowchart LR\n"
	for i := range 12 {
		wide += fmt.Sprintf("  N%d[A box with a long name %d] --> N%d[The next box %d]\n", i, i, i+1, i+1)
	}
	s := serve(t, "docs.json", pagesJSON, "index.mdx", "---\ntitle: One\n---\n[drawn](/drawn)\n", "drawn.mdx",
		"---\ntitle: Drawn\n---\n\n```mermaid\n"+wide+"```\n\nThe text below.\n")
	p := openURL(t, s.URL+"/drawn")
	eval[bool](p, `(window.shifts = [], new PerformanceObserver((l) => { for (const e of l.getEntries()) shifts.push(e.value); })
		.observe({ type: "layout-shift", buffered: true }), true)`)
	p.waitFor(`document.querySelector("figure.mermaid").dataset.state === "drawn"`)
	eval[bool](p, `(requestAnimationFrame(() => requestAnimationFrame(() => { window.painted = true; })), true)`)
	p.waitFor(`window.painted === true`)
	p.expectEqual("shift", eval[string](p, `shifts.reduce((a, b) => a + b, 0).toFixed(3)`), "0.000")
	p.expectEqual("wider than the column", eval[string](p,
		`((d) => String(d.scrollWidth > d.clientWidth + 1))(document.querySelector(".mermaid-drawing"))`), "false")
	p.checkConsole()
}
