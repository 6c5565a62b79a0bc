// Changes a node of the page to equal a node of another page, and keeps equal parts: images are not reloaded, lists keep their scroll
// position. Parts that belong to one page are replaced as a whole, so that nothing of the old page remains.
import { find } from "../page/page";

const WHOLE = "main, .outline, dialog, svg, lectern-island, lectern-tabs";
const kind = (node: ChildNode) => node instanceof Element ? node.localName + "#" + node.id + "." + (node.classList[0] || "") : node.nodeName;

const attributes = (from: Element, to: Element) => {
  // Groups that the reader expanded in the sidebar stay expanded.
  const opened = from instanceof HTMLDetailsElement && from.open && from.closest(".sidebar li") && find("summary", from)?.textContent === find("summary", to)?.textContent;
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !(opened && name === "open")) from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
};

// node returns the node that is in the page afterwards.
const node = (from: ChildNode, to: ChildNode): ChildNode => {
  if (from instanceof Element && to instanceof Element && !from.matches(WHOLE)) {
    if (from.isEqualNode(to)) return from;
    attributes(from, to);
    list(from, [...from.childNodes], [...to.childNodes]);
    return from;
  }
  if (!(from instanceof Element) && from.isEqualNode(to)) return from;
  from.replaceWith(to);
  return to;
};

// list updates the children of parent. olds may omit children that are not ours.
const list = (parent: Node, olds: ChildNode[], news: ChildNode[]) => {
  let at = 0;
  let last = null;
  for (const to of news) {
    const match = olds.findIndex((from, i) => i >= at && kind(from) === kind(to));
    if (match < 0) {
      parent.insertBefore(to, last ? last.nextSibling : parent.firstChild);
      last = to;
      continue;
    }
    for (; at < match; at++) olds[at].remove();
    last = node(olds[at++], to);
  }
  for (; at < olds.length; at++) olds[at].remove();
};
export const morph = list;
