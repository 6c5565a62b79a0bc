// React as author code knows it, from preact.
import * as compat from 'preact/compat';
import { address } from './address.js';

const { createElement } = compat;

// A page has one h1, its title, so the server writes an author's as h2; and addresses from the site's root fit wherever the site lies.
function host(type, props) {
  if (type === 'h1') type = 'h2';
  if (!props) return [type, props];
  for (const name of ['href', 'src', 'poster']) {
    const value = props[name];
    if (typeof value === 'string' && value.startsWith('/')) props = { ...props, [name]: address(value, name === 'href') };
  }
  return [type, props];
}

// foreign tells classes of the browser itself: <Text> means a component that does not exist, not the DOM's Text.
function foreign(type) {
  return typeof type === 'function' && type.name !== '' && globalThis[type.name] === type && /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(type));
}

function Nothing(props) {
  return props.children;
}

export function h(type, props, ...children) {
  if (typeof type === 'string') [type, props] = host(type, props);
  else if (type === undefined || type === null || foreign(type)) type = Nothing;
  return createElement(type, props, ...children);
}

function jsx(type, { children, ...props }, key) {
  if (key !== undefined) props.key = key;
  return Array.isArray(children) ? h(type, props, ...children) : children === undefined ? h(type, props) : h(type, props, children);
}

export const React = {
  ...compat.default,
  createElement: h,
  jsx,
  jsxs: jsx,
  jsxDEV: jsx,
  Profiler: compat.Fragment,
  use: (resource) => (resource && resource.Provider ? compat.useContext(resource) : raise(resource)),
  useEffectEvent: (f) => {
    const ref = compat.useRef(f);
    ref.current = f;
    return compat.useCallback((...args) => ref.current(...args), []);
  },
  useOptimistic: (value) => [value, () => undefined],
  useActionState: (action, initial) => {
    const [state, set] = compat.useState(initial);
    return [state, async (input) => set(await action(state, input)), false];
  },
};

function raise(resource) {
  throw resource;
}

export const { Fragment } = compat;
