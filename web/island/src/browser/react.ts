// The React API for author code, implemented with preact.
import everything, * as compat from 'preact/compat';
import type { ComponentChildren, ComponentType, VNode } from 'preact';
import { address } from './address';

const { createElement } = compat;

// Author code may pass anything as a type or as props.
type Type = string | ComponentType<any> | null | undefined;
type Props = Record<string, unknown>;

// The title is the only h1 of a page, so an author's h1 becomes h2, as on the server. URLs from the site's root are adjusted to the
// site's location.
function host(type: string, props: Props | null): [string, Props | null] {
  if (type === 'h1') type = 'h2';
  if (!props) return [type, props];
  for (const name of ['href', 'src', 'poster']) {
    const value: unknown = props[name];
    if (typeof value === 'string' && value.startsWith('/')) props = { ...props, [name]: address(value, name === 'href') };
  }
  return [type, props];
}

// foreign reports whether a type is a class of the browser: <Text> is a missing component, not the DOM's Text.
function foreign(type: ComponentType<any>): boolean {
  return typeof type === 'function' && type.name !== '' && (globalThis as Props)[type.name] === type &&
    /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(type));
}

function Nothing(props: { children?: ComponentChildren }): ComponentChildren {
  return props.children;
}

export function h(type: Type, props: Props | null, ...children: ComponentChildren[]): VNode<any> {
  if (typeof type === 'string') [type, props] = host(type, props);
  else if (type === undefined || type === null || foreign(type)) type = Nothing;
  return createElement(type as ComponentType<any>, props, ...children);
}

function jsx(type: Type, { children, ...props }: Props, key?: string): VNode<any> {
  if (key !== undefined) props.key = key;
  return Array.isArray(children) ? h(type, props, ...children)
    : children === undefined ? h(type, props) : h(type, props, children as ComponentChildren);
}

export const React = {
  ...everything,
  createElement: h,
  jsx,
  jsxs: jsx,
  jsxDEV: jsx,
  Profiler: compat.Fragment,
  use: <T>(resource: Partial<compat.Context<T>>): T =>
    (resource && resource.Provider ? compat.useContext(resource as compat.Context<T>) : raise(resource)),
  useEffectEvent: <A extends unknown[], R>(f: (...args: A) => R) => {
    const ref = compat.useRef(f);
    ref.current = f;
    return compat.useCallback((...args: A) => ref.current(...args), []);
  },
  useOptimistic: <T>(value: T) => [value, () => undefined],
  useActionState: <S, I>(action: (state: S, input: I) => S | Promise<S>, initial: S) => {
    const [state, set] = compat.useState(initial);
    return [state, async (input: I) => set(await action(state, input)), false];
  },
};

function raise(resource: unknown): never {
  throw resource;
}

export const { Fragment } = compat;
