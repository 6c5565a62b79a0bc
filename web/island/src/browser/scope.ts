// Lookup of names that a unit does not define: variables first, then hooks and components, then the browser's globals.
import { React } from './react';
import * as builtins from './builtin';
import type { Instance } from './unit';

const hidden = new Set(['jsx', 'jsxs', 'jsxDEV', 'h', 'default', 'version', 'act', 'render', 'hydrate', 'options']);
type Names = Record<string, unknown>;
const names: Names = Object.create(null);
for (const name of Object.keys(React)) if (!hidden.has(name)) names[name] = (React as Names)[name];
Object.assign(names, { React, ReactDOM: React }, builtins.components);

const markers = new Map<string, unknown>();

// marker returns a component for an unknown name, which shows its children.
export function marker(name: string): unknown {
  if (names[name]) return names[name];
  if (!markers.has(name)) {
    markers.set(name, new Proxy((props: { children?: unknown }) => props.children, {
      get: (target: any, key) => (typeof key === 'string' && /^[A-Z]/.test(key)
        ? builtins.components[name + '.' + key] || marker(name + '.' + key) : target[key]),
    }));
  }
  return markers.get(name);
}

export const nothing: () => null = new Proxy(() => null, {
  get: (target: any, key) => (typeof key === 'string' && /^[A-Z]/.test(key) ? nothing : target[key]),
});

// moduleOf creates a module whose exports are looked up by name.
export function moduleOf(find: (name: string) => unknown): object {
  const exports = Object.create(new Proxy({}, { get: (target, name) => (typeof name === 'string' ? find(name) : undefined) }));
  return Object.defineProperty(exports, '__esModule', { value: true });
}

// user is the reader. As on the server, its fields are unknown here, because hydration must match the page.
const nobody = Object.freeze({});

// scope resolves the free names of a unit. made holds the variables and, after the unit has run, the names that it provides to its
// imports.
export function scope(made: Instance): object {
  const props = made.props;
  return new Proxy(Object.create(null), {
    has: (target, name) => typeof name === 'string' && name !== '__api' && (Object.hasOwn(props, name) || name in names || name in made.lent || !(name in globalThis)),
    get(target, name) {
      if (typeof name !== 'string') return undefined;
      if (Object.hasOwn(props, name)) return props[name];
      if (name in names) return names[name];
      if (name in made.lent) return made.lent[name];
      if (name in target) return target[name];
      if (name === 'user') return nobody;
      return /^[A-Z]/.test(name) ? marker(name) : undefined;
    },
  });
}
