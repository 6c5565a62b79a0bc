package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hostileHTML returns strings that have run scripts in browsers after passing a filter: plain ones, mutations of the
// tree during a second parse, foreign content, and attributes that contain code or addresses.
func hostileHTML() []string {
	const run = "window.pwned=1"
	return []string{
		"<script>" + run + "</script>", "<SCRIPT/x>" + run + "</SCRIPT >", "<scr<script>ipt>" + run +
			"</scr</script>ipt>", "<script src=data:text/javascript," + run + "></script>",
		"<img src=x onerror=" + run + ">", "<img src=x OnErRoR\n=\n'" + run + "'>", "<img/src=x/onerror=" + run + ">",
		"<img src=`x` onerror=" + run + ">", "<body onload=" + run + ">",
		"<svg onload=" + run + ">", "<svg><script>" + run + "</script></svg>", "<svg><animate onbegin=" + run +
			" attributeName=x dur=1s>", "<svg><a><animate attributeName=href values=javascript:" + run +
			" /><text>x</text></a></svg>",
		"<svg><use href=\"data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg'><script>" + run +
			"</script></svg>#x\"/></svg>", "<svg><foreignObject><iframe srcdoc='<script>parent." + run +
			"</script>'></iframe></foreignObject></svg>",
		"<svg><style><img src=x onerror=" + run + "></style></svg>",
		"<svg></p><style><a id=\"</style><img src=1 onerror=" + run + ">\">",
		"<svg><desc><noscript><img src=x onerror=" + run + "></noscript></desc></svg>",
		"<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=" + run + "&gt;\">",
		"<math><mtext><mglyph><style><img src=x onerror=" + run + "></style></mglyph></mtext></math>",
		"<math href=javascript:" + run + ">x</math>", "<math><maction actiontype=statusline xlink:href=javascript:" +
			run + ">x</maction></math>", "<form><math><mtext></form><form><mglyph><style></math><img src onerror=" +
			run + ">",
		"<noscript><p title=\"</noscript><img src=x onerror=" + run + ">\">", "<template><script>" + run +
			"</script></template>", "<template shadowrootmode=open><img src=x onerror=" + run + "></template>",
		"<textarea></textarea><img src=x onerror=" + run + "></textarea>", "<title><img src=x onerror=" + run +
			"></title>", "<xmp><p title=\"</xmp><img src=x onerror=" + run + ">\"></xmp>",
		"<plaintext><img src=x onerror=" + run + ">",
		"<!--><img src=x onerror=" + run + ">-->", "<!--<img src=\"--><img src=x onerror=" + run + ">\">",
		"<![CDATA[><img src=x onerror=" + run + ">]]>", "<? foo=\"><img src=x onerror=" + run + ">\">",
		"<a title='\"><img src=x onerror=" + run + ">'>x</a>",
		"<iframe src=javascript:parent." + run + "></iframe>", "<iframe srcdoc='<script>parent." + run +
			"</script>'></iframe>", "<object data=javascript:" + run + "></object>", "<embed src=javascript:" + run +
			">", "<applet code=x></applet>",
		"<base href=https://evil.example/><a href=x>y</a>", "<meta http-equiv=refresh content='0;url=javascript:" +
			run + "'>", "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
		"<link rel=stylesheet href=https://evil.example/x.css>", "<link rel=import href=x>",
		"<form action=javascript:" + run + "><button>x</button></form>",
		"<form action=https://evil.example/><input name=a autofocus onfocus=" + run + "></form>",
		"<button formaction=javascript:" + run + ">x</button>", "<input type=image src=x formaction=javascript:" + run +
			">", "<isindex action=javascript:" + run + " type=image>",
		"<style>@import 'https://evil.example/x.css';*{background:url(javascript:" + run + ")}</style>",
		"<div style=\"background:url(https://evil.example/x)\">x</div>", "<div style=\"width:expression(" + run +
			")\">x</div>", "<div style='x:\\65xpression(" + run + ");-moz-binding:url(//evil.example)'>x</div>",
		"<img srcset='x, javascript:" + run + " 2x, https://evil.example/a.png 3x' src=x>",
		"<source srcset=javascript:" + run + "><video poster=javascript:" + run + " onerror=" + run +
			"><source onerror=" + run + "></video>", "<audio src onerror=" + run + ">", "<details open ontoggle=" +
			run + ">x</details>",
		"<a href=https://evil.example target=_blank rel=opener>x</a>", "<area href=javascript:" + run +
			" target=_blank>", "<table background=javascript:" + run + "><td background=javascript:" + run +
			">x</table>", "<marquee onstart=" + run + ">x</marquee>", "<select onfocus=" + run +
			" autofocus><option>x</select>",
		"<dialog open onclose=" + run + "><form method=dialog><button autofocus>x</button></form></dialog>",
		"<div popover id=p onbeforetoggle=" + run + ">x</div><button popovertarget=p>y</button>",
		"<p id=x tabindex=1 onfocus=" + run + ">x</p>",
		"<img name=getElementById><img name=body><form name=cookie><input name=attributes></form>",
	}
}

// javascriptAddresses returns spellings of the javascript scheme. Browsers drop tabs, line ends and control characters,
// and decode entities.
func javascriptAddresses() []string {
	const run = "window.pwned=1"
	return []string{
		"javascript:" + run, "JaVaScRiPt:" + run, " javascript:" + run, "\x01javascript:" + run, "java\tscript:" + run,
		"java\nscript:" + run, "java\rscript:" + run, "javascript\t:" + run, "javascript&colon;" + run,
		"&#106;avascript:" + run,
		"&#x6A&#x61vascript:" + run, "javascript&Tab;:" + run, "java&NewLine;script:" + run,
		"javascript:/*--></title></style></textarea></script><img src=x onerror=" + run + ">*/" + run,
		"javascript://example.com/%0a" + run, "vbscript:msgbox(1)",
		"data:text/html,<script>parent." + run + "</script>", "data:image/svg+xml,<svg onload=" + run + ">",
		"blob:null/x", "view-source:javascript:" + run, "\u2028javascript:" + run, "%6aavascript:" + run,
		"feed:javascript:" + run, "//evil.example@javascript:" + run,
	}
}

// harm inspects the page's tree as the browser built it, and as a second parse of the content would build it, for
// anything that the policy promises to keep out. The platform's own elements are marked, and its scripts are files.
const harm = `(() => {
  const found = [];
  const look = (root, when) => {
    for (const e of root.querySelectorAll('*')) {
      const get = (n) => Element.prototype.getAttribute.call(e, n) || ''; // names of inputs may hide properties of their form
      const name = Object.getOwnPropertyDescriptor(Element.prototype, 'localName').get.call(e), say = (what) => found.push(when + ': <' + name + '> ' + what + ' ' + e.outerHTML.slice(0, 120));
      if (['script', 'object', 'embed', 'applet', 'base', 'meta', 'link', 'style'].includes(name.toLowerCase()) && get('type') !== 'application/ld+json') say('is there');
      for (const n of Element.prototype.getAttributeNames.call(e)) {
        const a = {name: n, value: get(n)};
        if (/^on/i.test(a.name) || ['srcdoc', 'formaction', 'ping', 'http-equiv', 'style', 'nonce'].includes(a.name)) say(a.name);
        const addresses = a.name === 'srcset' ? a.value.split(',').map((one) => one.trim().split(/\s/)[0]) : [a.value];
        if (!['href', 'src', 'srcset', 'action', 'poster', 'background', 'data', 'xlink:href', 'cite', 'longdesc'].includes(a.name)) continue;
        for (const address of addresses) {
          let to = null;
          try { to = new URL(address, document.baseURI); } catch { continue; }
          if (!['http:', 'https:', 'mailto:', 'tel:', 'file:'].includes(to.protocol)) say(a.name + '=' + a.value);
        }
      }
      if (get('target') === '_blank' && !/\bnoopener\b/.test(get('rel'))) say('has no noopener');
      if (name === 'form' && get('action')) say('sends somewhere');
    }
  };
  const content = document.querySelector('article') || document.querySelector('main') || document.body;
  look(content, 'first');
  const again = document.createElement('div');
  document.body.append(again);
  again.innerHTML = content.innerHTML;
  look(again, 'second');
  return found.slice(0, 20).join('\n');
})()`

// C6: a corpus of hostile HTML, built normally and opened in a real browser, runs no script. It leaves no attribute,
// element or address that could run one, even after a second parse, and no other window gets access to the page.
func TestHostileHTMLRunsNoScripts(t *testing.T) {
	t.Parallel()
	quoted := func(s string) string {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var inner, links strings.Builder
	for _, h := range hostileHTML() {
		fmt.Fprintf(&inner, "<div dangerouslySetInnerHTML={{ __html: %s }} />\n\n", quoted(h))
	}
	for _, a := range javascriptAddresses() {
		fmt.Fprintf(&links,
			"<a href={%[1]s}>a</a> <img src={%[1]s} srcSet={%[1]s} /> <svg><a href={%[1]s} xlinkHref={%[1]s}><text>s</text></a></svg> <Card title=\"c\" href={%[1]s}>c</Card> <iframe src={%[1]s} />\n\n", quoted(a))
		if !strings.ContainsAny(a, "\n\r<>") {
			fmt.Fprintf(&links, "[m](<%[1]s>) ![i](<%[1]s>)\n\n", a)
		}
	}
	dir := site(t, "index.mdx", inner.String()+"<p id=\"end\">end</p>\n", "links.mdx",
		links.String()+"<p id=\"end\">end</p>\n")
	for _, file := range []string{"index.html", "links.html"} {
		p := open(t, dir, file)
		p.waitFor(`document.readyState === "complete" && document.getElementById("end") !== null`)
		if found := eval[string](p, harm); found != "" {
			t.Errorf("%s:\n%s", file, found)
		}
		// let the page's timers run first
		run(p, chromedp.Evaluate[bool](`new Promise((done) => setTimeout(() => done(true), 0))`,
			chromedp.EvalAwaitPromise))
		if eval[bool](p, `"pwned" in window`) {
			t.Errorf("%s: a script ran", file)
		}
	}
}
