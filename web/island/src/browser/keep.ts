// During hydration, platform components keep the server's HTML where this runtime would write something else: Markdown in titles, icons,
// highlighted code.
import { options } from 'preact';
import { Component, createElement } from 'preact/compat';
import type { ComponentChildren, ComponentClass, VNode } from 'preact';
import { setStyle } from './style';
import type { Style } from './style';

let hydrating = false;

// The server converts style attributes to generated classes. If an author's class name changed, these classes would be lost, so
// hydration sets the styles on the elements. __e is preact's name for the element of a vnode in all of version 10.
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

// inline renders the Markdown of titles: code, strong, emphasis; links become their text.
export function inline(text: string): string {
  return escapeHTML(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|\W)[*_]([^*_]+)[*_](?=\W|$)/g, '$1<em>$2</em>');
}

// rich writes a tag around a prop that is a string with Markdown, or JSX. It returns null if the prop is absent.
export function rich(tag: string, props: object, value: ComponentChildren, write = inline): VNode<any> | null {
  if (value === undefined || value === null || value === false || value === '') return null;
  if (typeof value === 'string' || typeof value === 'number') {
    return createElement(tag, { ...props, dangerouslySetInnerHTML: { __html: write(String(value)) } });
  }
  return createElement(tag, props, value);
}

// icon copies an icon that the server wrote on this page, because the browser does not have the icon library.
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

// keep returns a component that does not change the server's HTML. If it is created after hydration, it shows its children
// unchanged.
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
