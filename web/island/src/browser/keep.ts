// While an island wakes up, components of the platform keep what the server wrote where this runtime would write it differently: Markdown
// in titles, icons, coloured code.
import { options } from 'preact';
import { Component, createElement } from 'preact/compat';
import type { ComponentChildren, ComponentClass, VNode } from 'preact';
import { setStyle } from './style';
import type { Style } from './style';

let hydrating = false;

// The server moves style attributes into classes of its own. An author's class name that changes would take those away, so an island
// sets its styles on the elements when it wakes up. __e is how preact names the element of a vnode in all of version 10.
interface Drawn extends VNode<{ style?: string | Style }> {
  __e?: HTMLElement | SVGElement | null;
}
const { diffed } = options;
options.diffed = (vnode: Drawn) => {
  if (hydrating && typeof vnode.type === 'string' && vnode.__e && vnode.props.style) setStyle(vnode.__e, vnode.props.style);
  if (diffed) diffed(vnode);
};

export function whileHydrating(f: () => void): void {
  hydrating = true;
  try {
    f();
  } finally {
    hydrating = false;
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHTML = (text: unknown): string => String(text).replace(/[&<>"]/g, (c) => escapes[c]);

// inline is the Markdown that titles have: code, strong, emphasis; links become their text.
export function inline(text: string): string {
  return escapeHTML(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|\W)[*_]([^*_]+)[*_](?=\W|$)/g, '$1<em>$2</em>');
}

// rich writes a tag around a prop that is a string with Markdown, or JSX. Nothing when the prop is absent.
export function rich(tag: string, props: object, value: ComponentChildren, write = inline): VNode<any> | null {
  if (value === undefined || value === null || value === false || value === '') return null;
  if (typeof value === 'string' || typeof value === 'number') {
    return createElement(tag, { ...props, dangerouslySetInnerHTML: { __html: write(String(value)) } });
  }
  return createElement(tag, props, value);
}

// icon takes a drawing that the server put on this page; the library itself is not in the browser.
export function icon(value: ComponentChildren, className: string, style?: Style | ''): VNode<any> | null {
  if (!value) return null;
  const props: object = { class: ('icon ' + className).trim(), style };
  if (typeof value !== 'string') return createElement('span', props, value);
  const drawing = document.querySelector('svg[data-icon="' + CSS.escape(value) + '"]');
  if (!drawing && !hydrating) return null;
  return createElement('span', { ...props, dangerouslySetInnerHTML: { __html: drawing ? drawing.outerHTML : '' } });
}

export function iconHTML(name: unknown, className: string): string {
  const drawing = typeof name === 'string' && document.querySelector('svg[data-icon="' + CSS.escape(name) + '"]');
  return drawing ? '<span class="icon ' + className + '">' + drawing.outerHTML + '</span>' : '';
}

interface Kept {
  children?: ComponentChildren;
  className?: string;
}

// keep makes a component that leaves the server's HTML as it is. One that the browser makes later shows its children plainly.
export function keep(tag: string, className: string): ComponentClass<Kept> {
  return class extends Component<Kept> {
    declare kept: boolean;

    constructor(props: Kept) {
      super(props);
      this.kept = hydrating;
    }
    render({ children, className: extra }: Kept): VNode<any> {
      const props = { class: [className, extra].filter(Boolean).join(' ') };
      return this.kept ? createElement(tag, { ...props, dangerouslySetInnerHTML: { __html: '' } }) : createElement(tag, props, children);
    }
  };
}
