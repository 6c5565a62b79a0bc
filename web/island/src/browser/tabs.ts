// <Tabs> and <Tab>. This module only writes the tags; the theme's script for lectern-tabs does the selection.
import { Children, createElement as h, useId } from 'preact/compat';
import type { ComponentChildren, VNode } from 'preact';
import { icon, iconHTML, inline, rich } from './keep';

interface TabProps {
  title?: ComponentChildren;
  label?: ComponentChildren;
  value?: ComponentChildren;
  icon?: ComponentChildren;
  id?: string;
  children?: ComponentChildren;
}

interface TabsProps {
  defaultTabIndex?: number | string;
  sync?: boolean | string;
  id?: string;
  children?: ComponentChildren;
}

// flatten returns the children that are elements, without the text between tabs.
function flatten(children: ComponentChildren): VNode<TabProps>[] {
  return Children.toArray(children).flatMap((child: any) => (child && child.type && child.props ? [child] : []));
}

const titleOf = (props: TabProps, i: number): ComponentChildren =>
  props.title || props.label || props.value || 'Tab ' + (i + 1);

export function Tabs(props: TabsProps): VNode<any> {
  const base = useId();
  const tabs = flatten(props.children);
  const start = Math.min(Math.max(Number(props.defaultTabIndex) || 0, 0), Math.max(tabs.length - 1, 0));
  const name = (i: number) => tabs[i].props.id || base + '-' + i;
  const bar = tabs.map((tab, i) => h('button', {
    type: 'button', role: 'tab', id: name(i) + '--tab', 'aria-controls': name(i), 'aria-selected': String(i === start), tabindex: i === start ? undefined : '-1',
    ...label(tab.props, i),
  }));
  const panels = tabs.map((tab, i) => h('div', {
    class: 'tabset-panel', id: name(i), role: 'tabpanel', 'aria-labelledby': name(i) + '--tab', 'data-active': i === start ? '' : undefined,
  }, h('p', { class: 'tabset-title', 'data-platform': '', ...label(tab.props, i) }),
    h('div', { class: 'tabset-body flow' }, tab.props.children)));
  return h('lectern-tabs', { class: 'tabset', id: props.id, 'data-sync': props.sync === false || props.sync === 'false' ? 'off' : undefined },
    h('div', { class: 'tabset-bar', role: 'tablist' }, bar), panels);
}

// label returns the content of a tab's button as props: HTML for a Markdown title, which hydration does not change.
function label(props: TabProps, i: number): object {
  const title = titleOf(props, i);
  if (typeof title === 'string') return { dangerouslySetInnerHTML: { __html: iconHTML(props.icon, 'tabset-icon') + inline(title) } };
  return { children: [icon(props.icon, 'tabset-icon'), title] };
}

export function Tab(props: TabProps): VNode<any> {
  return h('div', { class: 'tabset-panel', id: props.id }, rich('p', { class: 'tabset-title' }, props.title), h('div', { class: 'tabset-body flow' }, props.children));
}
