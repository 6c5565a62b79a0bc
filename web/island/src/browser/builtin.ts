// Platform components inside islands. They use the same tags and classes as the server, so that hydration changes nothing.
import { createElement as h, Children } from 'preact/compat';
import type { ComponentChildren, ComponentType, VNode } from 'preact';
import { icon, keep, rich, escapeHTML } from './keep';
import { address } from './address';
import { Tabs, Tab } from './tabs';
import { Steps, Step } from './steps';
import type { Style } from './style';

// Props are the props that every component accepts, and any others.
interface Props {
  children?: ComponentChildren;
  className?: string;
  class?: string;
  id?: string;
  style?: string | Style;
  [name: string]: unknown;
}

// Rich is text with Markdown in it, or JSX.
type Rich = ComponentChildren;
// Flag is a prop that is on or off: disabled, disabled={true}, disabled="true".
type Flag = boolean | string | undefined;

const flag = (value: Flag): boolean => Boolean(value) && value !== 'false';

// own returns the props that every component accepts.
function own(props: Props, className: string, style?: Style | ''): Record<string, unknown> {
  const out: Record<string, unknown> = {
    class: [className, props.className || props.class].filter(Boolean).join(' '),
    id: props.id,
    style: { ...style, ...(typeof props.style === 'object' ? props.style : {}) },
  };
  for (const name of Object.keys(props)) if (/^(aria|data)-|^on[A-Z]/.test(name)) out[name] = props[name];
  return out;
}

function link(href: string): object {
  const outside = /^(https?:)?\/\//i.test(href);
  return { href: address(href, true), ...(outside ? { target: '_blank', rel: 'noopener' } : {}) };
}

function cardTitle({ title, href }: { title?: Rich; href?: string }): VNode<any> | null {
  if (!title) return href ? h('a', { class: 'card-link', ...link(href) }) : null;
  return href ? h('p', { class: 'card-title' }, rich('a', { class: 'card-link', ...link(href) }, title)) : rich('p', { class: 'card-title' }, title);
}

const hasContent = (children: ComponentChildren): boolean => Children.toArray(children).length > 0;

interface CardProps extends Props {
  title?: Rich;
  description?: Rich;
  cta?: Rich;
  href?: string;
  img?: string;
  alt?: string;
  icon?: ComponentChildren;
  color?: string;
  arrow?: Flag;
  horizontal?: Flag;
  disabled?: Flag;
}

function Card(props: CardProps): VNode<any> {
  const { img, alt, children, cta, description } = props;
  const href = flag(props.disabled) ? '' : props.href;
  const classes = ['card', flag(props.horizontal) && 'card-horizontal', href && 'card-linked', flag(props.disabled) && 'card-disabled'];
  const outside = /^(https?:)?\/\//i.test(href || '');
  const arrow = href && (props.arrow === undefined ? outside : flag(props.arrow));
  return h('div', own(props, classes.filter(Boolean).join(' ')),
    img && h('img', { class: 'card-img', loading: 'lazy', src: address(img), alt: alt || '' }),
    h('div', { class: 'card-main' }, icon(props.icon, 'card-icon', props.color && { color: props.color }),
      h('div', { class: 'card-body' }, cardTitle({ title: props.title, href }), rich('p', { class: 'card-text' }, description),
        hasContent(children) && h('div', { class: 'card-text flow' }, children), rich('p', { class: 'card-cta' }, cta))),
    arrow && h('svg', { class: 'card-arrow', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, h('path', { d: 'M5 11l6-6M6 5h5v5' })));
}

interface TileProps extends Props {
  title?: Rich;
  description?: Rich;
  href?: string;
}

function Tile(props: TileProps): VNode<any> {
  return h('div', own(props, 'tile' + (props.href ? ' card-linked' : '')), hasContent(props.children) && h('div', { class: 'tile-stage' }, props.children),
    cardTitle(props), rich('p', { class: 'tile-text' }, props.description));
}

interface CalloutProps extends Props {
  title?: Rich;
  icon?: ComponentChildren;
  color?: string;
}

// callout uses the server's icon for a tone. Callouts that are created later have no icon.
function callout(tone: string): (props: CalloutProps) => VNode<any> {
  const label = tone && tone[0].toUpperCase() + tone.slice(1);
  return (props) => h('div', { ...own(props, 'callout' + (tone ? ' callout-' + tone : ''), props.color && { '--tone': props.color }), role: 'note', 'aria-label': props['aria-label'] || label },
    props.icon ? icon(props.icon, 'callout-icon') : tone && h(Sign, { tone }),
    h('div', { class: 'callout-body flow' }, rich('p', { class: 'callout-title' }, props.title, escapeHTML), props.children));
}

function Sign({ tone }: { tone: string }): VNode<any> {
  const drawing = document.querySelector('.callout-' + tone + ' > .callout-icon');
  return h('span', { class: 'icon callout-icon', dangerouslySetInnerHTML: { __html: drawing ? drawing.innerHTML : '' } });
}

interface ColumnsProps extends Props {
  cols?: number | string;
  columns?: number | string;
}

function Columns(props: ColumnsProps): VNode<any> {
  const n = Math.trunc(Math.min(Math.max(Number(props.cols ?? props.columns ?? 2) || 2, 1), 6));
  return h('div', own(props, 'columns', { '--cols': String(n) }), props.children);
}

const alignments: Record<string, string> = { center: 'column flow column-center', right: 'column flow column-end' };
const Column = (props: Props & { align?: string }): VNode<any> =>
  h('div', own(props, alignments[props.align!] || 'column flow'), props.children);

interface BadgeProps extends Props {
  color?: string;
  size?: string;
  shape?: string;
  stroke?: Flag;
  disabled?: Flag;
  icon?: ComponentChildren;
}

function Badge(props: BadgeProps): VNode<any> {
  const { color, size } = props;
  const classes = ['badge', color && color !== 'gray' && 'badge-' + color, size && size !== 'md' && 'badge-' + size, props.shape === 'pill' && 'badge-pill',
    flag(props.stroke) && 'badge-stroke', flag(props.disabled) && 'badge-disabled'];
  return h('span', own(props, classes.filter(Boolean).join(' ')), icon(props.icon, 'badge-icon'), props.children);
}

interface IconProps extends Props {
  icon?: ComponentChildren;
  src?: string;
  name?: string;
  color?: string;
  size?: number | string;
}

function Icon(props: IconProps): ComponentChildren {
  const name = props.icon || props.src || props.name;
  if (!name) return props.children;
  const style = { ...(props.color && { color: props.color }), ...(props.size && { '--icon': props.size + 'px' }) };
  return icon(name, props.className || '', style);
}

interface FoldProps extends Props {
  title?: Rich;
  description?: Rich;
  icon?: ComponentChildren;
  open?: Flag;
  defaultOpen?: Flag;
}

function Accordion(props: FoldProps): VNode<any> {
  return h('details', { ...own(props, 'accordion'), open: flag(props.defaultOpen) || flag(props.open) },
    h('summary', null, icon(props.icon, 'accordion-icon'),
      h('span', { class: 'accordion-head' }, rich('span', { class: 'accordion-title' }, props.title), rich('span', { class: 'accordion-note' }, props.description))),
    h('div', { class: 'accordion-body flow' }, props.children));
}

function Expandable(props: FoldProps): VNode<any> {
  return h('details', { ...own(props, 'expandable'), open: flag(props.defaultOpen) },
    h('summary', null, h('span', { class: 'expandable-show', 'data-platform': '' }, 'Show'), h('span', { class: 'expandable-hide', 'data-platform': '' }, 'Hide'), ' ',
      rich('span', { class: 'expandable-title' }, props.title || 'properties', escapeHTML)),
    h('div', { class: 'expandable-body flow' }, props.children));
}

interface FrameProps extends Props {
  title?: Rich;
  hint?: Rich;
  caption?: Rich;
}

function Frame(props: FrameProps): VNode<any> {
  return h('figure', own(props, 'frame'), rich('p', { class: 'frame-hint' }, props.title), rich('p', { class: 'frame-hint' }, props.hint),
    h('div', { class: 'frame-stage flow' }, props.children), rich('figcaption', {}, props.caption));
}

interface TooltipProps extends Props {
  tip?: Rich;
  headline?: Rich;
  cta?: Rich;
  href?: string;
}

function Tooltip(props: TooltipProps): ComponentChildren {
  const { tip, headline, cta, href } = props;
  if (!tip && !headline && !cta) return props.children;
  const word = !cta && href ? h('a', { class: 'tooltip-word', ...link(href) }, props.children) : h('span', { class: 'tooltip-word', tabindex: '0' }, props.children);
  return h('span', own(props, 'tooltip'), word,
    h('span', { class: 'tooltip-bubble', role: 'tooltip' }, rich('span', { class: 'tooltip-head' }, headline, escapeHTML), ' ',
      rich('span', { class: 'tooltip-tip' }, tip, escapeHTML), ' ',
      cta && (href ? rich('a', { class: 'tooltip-cta', ...link(href) }, cta, escapeHTML) : rich('span', { class: 'tooltip-cta' }, cta, escapeHTML))));
}

const group = (tag: string, className: string) => (props: Props): VNode<any> =>
  h(tag, own(props, className), props.children);
const CodeBlock = keep('figure', 'code');
const CodeGroup = keep('lectern-tabs', 'tabset');
const Field = keep('div', 'field');
const tree = Object.assign(keep('div', 'tree'), {
  Folder: (props: Props) => props.children,
  File: (props: { name?: Rich }) => props.name,
});
const color = Object.assign(keep('div', 'palette'), { Row: keep('div', 'palette-row'), Item: keep('div', 'palette-item') });

// components lists the platform's components by the names that authors use.
export const components: Record<string, ComponentType<any>> = {
  Card, Tile, Columns, CardGroup: Columns, Column, Badge, Icon, Accordion, Expandable, Frame, Tooltip, Tabs, Tab, TabItem: Tab, Steps, Step, CodeBlock, CodeGroup,
  AccordionGroup: group('div', 'accordion-group'), Panel: group('div', 'panel flow'),
  Callout: callout(''), Note: callout('note'), Info: callout('info'), Tip: callout('tip'), Hint: callout('tip'), Check: callout('check'), Success: callout('check'),
  Warning: callout('warning'), Important: callout('warning'), Alert: callout('warning'), Caution: callout('warning'),
  Danger: callout('danger'), Critical: callout('danger'),
  ParamField: Field, Param: Field, ResponseField: Field, Property: Field, Update: keep('section', 'update'), Prompt: keep('div', 'prompt'),
  Tree: tree, FileTree: tree, Color: color, View: keep('section', 'view'), Banner: keep('div', 'strip'),
};
