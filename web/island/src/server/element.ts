// Elements in React's form. The tag is a symbol, so that data can never be mistaken for an element.
import { apply, isArray, iterate, keys, NativeWeakMap, toText } from './guard';
import { markClient } from './hooks';

// Props, types and children come from author code and may be anything.
export type Props = Record<string, any>;
export type Type = any;

export interface VElement {
  $$typeof: symbol;
  type: Type;
  key: string | null;
  ref: unknown;
  props: Props;
}

const elementTag = Symbol('element');
export const Fragment = Symbol('Fragment');
export const Suspense = Symbol('Suspense');
export const StrictMode = Fragment;
export const slotType = Symbol('slot'); // content that was passed in, by number
export const heldType = Symbol('held'); // a value that is kept outside, by number

// markers maps the platform's components to their names; see scope.ts.
export const markers = new NativeWeakMap<object, string>();

export function markerName(type: Type): string | undefined {
  return typeof type === 'function' ? markers.get(type) : undefined;
}

export function makeElement(type: Type, props: Props, key: string | null, ref: unknown): VElement {
  return { $$typeof: elementTag, type, key, ref, props };
}

export function isValidElement(value: unknown): value is VElement {
  return typeof value === 'object' && value !== null && (value as VElement).$$typeof === elementTag;
}

export function createElement(type: Type, config?: Props | null, ...children: unknown[]): VElement {
  const props: Props = {};
  let key: string | null = null;
  let ref: unknown = null;
  if (config !== null && config !== undefined) {
    const names = keys(config);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (name === 'key') key = toText(config.key);
      else if (name === 'ref') ref = config.ref;
      else if (name !== '__self' && name !== '__source') props[name] = config[name];
    }
  }
  if (children.length === 1) props.children = children[0];
  else if (children.length > 1) props.children = children;
  const defaults = typeof type === 'function' && !markerName(type) ? type.defaultProps : undefined;
  if (defaults) {
    for (const name of keys(defaults)) if (props[name] === undefined) props[name] = defaults[name];
  }
  return makeElement(type, props, key, ref);
}

// jsx is createElement for the automatic runtime: children are in the props and the key is the last argument.
export function jsx(type: Type, props: Props, key?: unknown): VElement {
  return createElement(type, key === undefined ? props : { ...props, key });
}

export function cloneElement(element: VElement, config?: Props | null, ...children: unknown[]): VElement {
  if (!isValidElement(element)) throw new TypeError('cloneElement needs an element');
  const next = { ...element.props };
  let { key, ref } = element;
  if (config !== null && config !== undefined) {
    for (const name of keys(config)) {
      if (name === 'key') key = toText(config.key);
      else if (name === 'ref') ref = config.ref;
      else next[name] = config[name];
    }
  }
  if (children.length === 1) next.children = children[0];
  else if (children.length > 1) next.children = children;
  return makeElement(element.type, next, key, ref);
}

// flatten accepts children of any form: none, one, or nested lists.
function flatten(children: any, out: any[] = []): any[] {
  if (isArray(children)) {
    for (let i = 0; i < children.length; i++) flatten(children[i], out);
  } else if (children !== null && typeof children === 'object' && !isValidElement(children) && typeof children[iterate] === 'function') {
    for (const child of children) flatten(child, out);
  } else {
    out[out.length] = children === undefined || typeof children === 'boolean' ? null : children;
  }
  return out;
}

type Each = (child: unknown, index: number) => unknown;

export const Children = {
  map(children: unknown, f: Each, self?: unknown): unknown {
    if (children === null || children === undefined) return children;
    const out: unknown[] = [];
    const list = flatten(children);
    for (let i = 0; i < list.length; i++) flatten(apply(f, self, [list[i], i]), out);
    return out.filter((child) => child !== null);
  },
  forEach(children: unknown, f: Each, self?: unknown): void {
    Children.map(children, f, self);
  },
  count(children: unknown): number {
    return children === null || children === undefined ? 0 : flatten(children).length;
  },
  toArray(children: unknown): unknown[] {
    return children === null || children === undefined ? [] : flatten(children).filter((child) => child !== null);
  },
  only(children: unknown): VElement {
    if (!isValidElement(children)) throw new TypeError('Children.only needs exactly one element');
    return children;
  },
};

// Kinds of components that are objects.
export const memoTag = Symbol('memo');
export const forwardTag = Symbol('forwardRef');
export const lazyTag = Symbol('lazy');
export const providerTag = Symbol('provider');
export const consumerTag = Symbol('consumer');

export const memo = (type: Type) => ({ $$typeof: memoTag, type });
export const forwardRef = (render: Type) => ({ $$typeof: forwardTag, render });
export const lazy = (load: unknown) => ({ $$typeof: lazyTag, load });

export interface Context {
  current: any;
  displayName: string | undefined;
  Provider?: object;
  Consumer?: object;
}

export function createContext(defaultValue: unknown): Context {
  const context: Context = { current: defaultValue, displayName: undefined };
  context.Provider = { $$typeof: providerTag, context };
  context.Consumer = { $$typeof: consumerTag, context };
  return context;
}

export class Component {
  declare props: Props;
  declare context: unknown;
  declare refs: object;
  declare state: any;
  declare isReactComponent: object;

  constructor(props: Props, context?: unknown) {
    this.props = props;
    this.context = context;
    this.refs = {};
  }
  setState(change: unknown): void {
    const patch = typeof change === 'function' ? change(this.state, this.props) : change;
    if (patch !== null && patch !== undefined) this.state = { ...this.state, ...patch };
    markClient();
  }
  forceUpdate(): void {
    markClient();
  }
}
Component.prototype.isReactComponent = {};
export class PureComponent extends Component {}
