// Called with {"tex", "block"} as JSON, answers {"html"} or {"error", "at"} likewise.
function typeset(request) {
  const { tex, block } = JSON.parse(request);
  try {
    return JSON.stringify({
      html: katex.renderToString(tex, {
        displayMode: block,
        output: "htmlAndMathml",
        throwOnError: true,
        trust: false,
        strict: false,
        maxExpand: 1000,
        maxSize: 20, // em
      }),
    });
  } catch (e) {
    if (e instanceof katex.ParseError) return JSON.stringify({ error: String(e.rawMessage || e.message), at: e.position === undefined ? -1 : e.position });
    const message = String(e.message);
    if (message.includes("memory")) throw e; // the engine is of no more use
    return JSON.stringify({ error: message.includes("stack") ? "it is nested too deeply" : "it cannot be set: " + message, at: -1 });
  }
}
