// The renderer runs author components and writes their output, HTML tags and platform components, as compact JSON:
//
//   node    "text" | ["e", name, [prop, value, …], node, …] | ["s", slot] | ["x", held]
//   value   null | true | false | number | "string" | ["u"] | ["n", "NaN"] | ["a", value, …] | ["o", key, value, …]
//           | ["f", type] | ["j", node, …] | ["x", held]
import {
  consumerTag, forwardTag, Fragment, heldType, isValidElement, lazyTag, makeElement, markerName, memoTag, providerTag,
  slotType, Suspense,
} from './element';
import type { Component, Context, Props, Type, VElement } from './element';
import { isArray, iterate, keys, NativeError, quoteString, toText } from './guard';
import { frame, markClient, setFrame } from './hooks';
import type { Frame } from './hooks';
import { note } from './note';
import { held, nesting, setNesting, writeValue } from './value';

// Failure is the innermost component that threw, with its error.
export interface Failure {
  error: unknown;
  name: string;
}

let out: string[] = []; // pieces of the result
let size = 0; // characters in out
let maxSize = 0;
let depth = 0;
let touchedBrowser = false; // the running component has read a browser global
export let failing: Failure | null = null;
const maxDepth = 400;

// clearOutput prepares a call. limit is the maximum number of characters of its result.
export function clearOutput(limit: number): void {
  out = [];
  size = depth = 0;
  maxSize = limit;
  failing = null;
  touchedBrowser = false;
  setNesting(0);
}

export function output(): string {
  return out.join('');
}

export function touchBrowser(): void {
  touchedBrowser = true;
}

export function emit(text: string): void {
  size += text.length;
  if (size > maxSize) throw new RangeError(outputLimit);
  out[out.length] = text;
}
const outputLimit = 'the output is too large';

function deeper(): void {
  if (++depth > maxDepth) throw new RangeError('components are nested too deeply');
}

export function renderChildren(children: any): void {
  if (children === null || children === undefined || typeof children === 'boolean') return;
  if (typeof children === 'string' || typeof children === 'number' || typeof children === 'bigint') {
    const text = toText(children);
    if (text !== '') emit(',' + quoteString(text));
    return;
  }
  if (typeof children === 'function' || typeof children === 'symbol') {
    if (!markerName(children)) note('a function is not shown: call it or write it as a tag');
    return;
  }
  deeper();
  if (isArray(children)) for (let i = 0; i < children.length; i++) renderChildren(children[i]);
  else if (isValidElement(children)) renderElement(children);
  else if (held.has(children)) emit(',["x",' + held.get(children) + ']');
  else if (typeof children.then === 'function') note('a promise is not shown: pages are rendered at once');
  else if (typeof children[iterate] === 'function') for (const child of children) renderChildren(child);
  else note('an object is not shown: write out one of its fields');
  depth--;
}

function renderElement(element: VElement): void {
  const { type, props } = element;
  if (typeof type === 'string') return renderTag(type, props, element.ref);
  const name = markerName(type);
  if (name) return renderTag(name, props, element.ref);
  if (type === slotType) return emit(',["s",' + props.index + ']');
  if (type === heldType) return emit(',["x",' + props.index + ']');
  if (type === Fragment) return renderChildren(props.children);
  if (type === Suspense) return renderSuspense(props);
  if (typeof type === 'function') return renderComponent(type, type, props, element.ref);
  if (typeof type === 'object' && type !== null) return renderSpecial(type, props, element.ref);
  note('a tag has no component behind it: the name is undefined');
  renderChildren(props.children);
}

function renderTag(name: string, props: Props, ref: unknown): void {
  if (ref) markClient();
  emit(',["e",' + quoteString(name) + ',[');
  let first = true;
  const names = keys(props);
  for (let i = 0; i < names.length; i++) {
    const key = names[i];
    if (key === 'children') continue;
    const value = props[key];
    if (typeof value === 'function' && key.length > 2 && key[0] === 'o' && key[1] === 'n') markClient();
    if (value === undefined) continue;
    emit((first ? '' : ',') + quoteString(key) + ',');
    first = false;
    writeValue(value);
  }
  emit(']');
  if (props.children !== undefined && props.dangerouslySetInnerHTML === undefined) renderChildren(props.children);
  emit(']');
}

function renderSpecial(type: Type, props: Props, ref: unknown): void {
  switch (type.$$typeof) {
    case memoTag:
      return renderElement(makeElement(type.type, withDefaults(type.type, props), null, ref));
    case forwardTag:
      return renderComponent(type, type.render, withDefaults(type, props), ref);
    case lazyTag:
      throw { then() {} };
    case consumerTag:
      return renderChildren(typeof props.children === 'function' ? props.children(type.context.current) : null);
    case providerTag:
      return provide(type.context, props);
  }
  if (type.Provider) return provide(type, props);
  note('a tag has no component behind it: its name is an object');
}

function withDefaults(type: Type, props: Props): Props {
  return type && type.defaultProps ? { ...type.defaultProps, ...props } : props;
}

function provide(context: Context, props: Props): void {
  const before = context.current;
  context.current = props.value;
  try {
    renderChildren(props.children);
  } finally {
    context.current = before;
  }
}

// attempt renders. If that throws and recover returns a replacement, it discards the output and renders the
// replacement.
function attempt(render: () => void, recover: (error: unknown) => unknown): void {
  const at = out.length;
  const sizeAt = size;
  const depthAt = depth;
  const frameAt = frame;
  const nestingAt = nesting;
  try {
    render();
  } catch (error) {
    const answer = recover(error);
    if (answer === undefined) throw error;
    out.length = at;
    size = sizeAt;
    depth = depthAt;
    setFrame(frameAt);
    setNesting(nestingAt);
    failing = null;
    markClient();
    renderChildren(answer);
  }
}

// renderSuspense renders the fallback if a child throws a promise.
function renderSuspense(props: Props): void {
  const waits = (error: any) => typeof error === 'object' && error !== null && typeof error.then === 'function';
  attempt(() => renderChildren(props.children), (error) => (waits(error) ? props.fallback ?? null : undefined));
}

// needsBrowser reports whether an error results from using window or document without checking that they exist. Like React, we
// leave such a component to the browser.
export function needsBrowser(error: unknown): boolean {
  return touchedBrowser && (error instanceof TypeError || error instanceof ReferenceError);
}

function nameOf(type: Type, f: Type): string {
  const name = type.displayName || f.displayName || f.name;
  return typeof name === 'string' && name !== '' ? name : 'a component';
}

function renderComponent(type: Type, f: Type, props: Props, ref: unknown): void {
  const touchedBefore = touchedBrowser;
  touchedBrowser = false;
  attempt(() => {
    deeper();
    try {
      renderChildren(f.prototype && typeof f.prototype.render === 'function' ? renderClass(f, props) : runFrame(() => f(props, ref)));
    } catch (error) {
      if (failing === null || failing.error !== error) failing = { error, name: nameOf(type, f) };
      throw error;
    }
    depth--;
  }, (error) => {
    if (!needsBrowser(error)) return undefined;
    note(nameOf(type, f) + ' reads the browser while it renders: it shows nothing without JavaScript');
    return null;
  });
  touchedBrowser = touchedBrowser || touchedBefore;
}

// runFrame calls a function with memory for hooks, and repeats the call while it sets its own state.
export function runFrame<T>(f: () => T): T {
  const before = frame;
  const mine: Frame = { cells: [], index: 0, again: false };
  try {
    for (let i = 0; i < 25; i++) {
      setFrame(mine);
      mine.index = 0;
      mine.again = false;
      const result = f();
      if (!mine.again) return result;
    }
    throw new NativeError('too many renders: the component sets its state each time');
  } finally {
    setFrame(before);
  }
}

interface Instance extends Component {
  render(): unknown;
  componentDidMount?: unknown;
  componentDidUpdate?: unknown;
}

// ClassType is a component that is a class.
interface ClassType {
  new (props: Props, context: unknown): Instance;
  contextType?: Context;
  getDerivedStateFromProps?(props: Props, state: unknown): object | null;
}

function renderClass(Class: ClassType, props: Props): unknown {
  const instance = new Class(props, Class.contextType ? Class.contextType.current : undefined);
  instance.props = props;
  if (Class.contextType) instance.context = Class.contextType.current;
  if (instance.state === undefined) instance.state = null;
  if (Class.getDerivedStateFromProps) instance.state = { ...instance.state, ...Class.getDerivedStateFromProps(props, instance.state) };
  if (instance.state || instance.componentDidMount || instance.componentDidUpdate) markClient();
  return instance.render();
}
