// Lookup of names. A marker stands for a platform component: calling or rendering it results in a tag with its name.
import {
  Children, cloneElement, Component, createContext, createElement, forwardRef, Fragment, isValidElement, jsx, lazy, markers,
  memo, PureComponent, StrictMode, Suspense,
} from './element';
import type { Props, VElement } from './element';
import { create, defineProperty, getOwnPropertyDescriptor, NativeMap } from './guard';
import { hooks } from './hooks';
import { note } from './note';
import { touchBrowser } from './render';

type Names = Record<string, unknown>;
type Marker = (props: Props) => VElement;

const markerCache = new NativeMap<string, Marker>();

function isCapital(name: string): boolean {
  const c = name.charCodeAt(0);
  return c >= 65 && c <= 90;
}

export function marker(name: string): Marker {
  const known = markerCache.get(name);
  if (known) return known;
  const component: Marker = new Proxy((props: Props) => createElement(component, props), {
    get(target, key) {
      if (typeof key === 'string' && isCapital(key)) return marker(name + '.' + key);
      return (target as any)[key];
    },
  });
  markers.set(component, name);
  markerCache.set(name, component);
  return component;
}

// missing returns a module for a failed import: it shows nothing, and neither does any part of it.
export function missing(): object {
  const nothing: () => null = new Proxy(() => null, {
    get: (target, key) => (typeof key === 'string' && isCapital(key) ? nothing : (target as any)[key]),
  });
  return moduleOf((name) => (name === 'default' || isCapital(name) ? nothing : undefined));
}

// unknown returns a module for a package, whose components may be those of the platform.
export function unknown(spec: string): object {
  return moduleOf((name) => (name === 'default' ? marker(spec) : isCapital(name) ? marker(name) : undefined));
}

// moduleOf creates a module whose exports are looked up by name. The bundler copies own properties and keeps the
// prototype.
function moduleOf(find: (name: string) => unknown): object {
  const exports = create(new Proxy({}, {
    get: (target, name) => (typeof name === 'string' ? find(name) : undefined),
    has: (target, name) => typeof name === 'string',
  }));
  defineProperty(exports, '__esModule', { value: true });
  return exports;
}

// Browser globals are undefined on the server, as authors who write typeof window expect. They result in no note.
const browserNames = new NativeMap(['window', 'document', 'navigator', 'location', 'localStorage', 'sessionStorage', 'history', 'fetch', 'self',
  'process', 'global', 'require', 'module', 'exports', 'requestAnimationFrame', 'matchMedia', 'IntersectionObserver', 'ResizeObserver',
  'MutationObserver', 'CustomEvent', 'Event', 'HTMLElement', 'Element', 'Node', 'XMLHttpRequest', 'WebSocket', 'Image', 'Audio', 'FormData',
  'alert', 'customElements', 'getComputedStyle', 'AbortController', 'crypto', 'performance', 'Worker', 'caches', 'indexedDB', 'screen',
].map((name): [string, boolean] => [name, true]));

// Instance is a unit that is run with certain variables.
export interface Instance {
  props: Names;
  lent: Names; // names that it provides to the files it imports
}

// user is the reader, unless the author defines the name. Only the theme's script gets values of readers; here they are unknown.
const nobody = Object.freeze({});

// scopeOf resolves a unit's free names: variables first, then the runtime, then names that the page provides to the files it imports,
// then JavaScript's globals, then the reader.
export function scopeOf(instance: Instance): object {
  const props = instance.props;
  const own = (name: string) => getOwnPropertyDescriptor(props, name) !== undefined;
  return new Proxy(create(null), {
    has: (target, name) => typeof name === 'string' && name !== '__api' && (own(name) || name in runtimeNames || name in instance.lent || !(name in globalThis)),
    get(target, name) {
      if (typeof name !== 'string') return undefined;
      if (own(name)) return props[name];
      if (name in runtimeNames) return runtimeNames[name];
      if (name in instance.lent) return instance.lent[name];
      if (name in target) return target[name];
      if (name === 'user') return nobody;
      if (browserNames.has(name)) {
        touchBrowser();
        return undefined;
      }
      if (isCapital(name)) return marker(name);
      note('"' + name + '" is not defined');
      return undefined;
    },
  });
}

// The React API for author code.
export const React = {
  createElement,
  cloneElement,
  isValidElement,
  createContext,
  createRef: () => ({ current: null }),
  memo,
  forwardRef,
  lazy,
  Fragment,
  Suspense,
  StrictMode,
  Profiler: Fragment,
  Children,
  Component,
  PureComponent,
  startTransition: (f: () => unknown) => f(),
  act: (f: () => unknown) => f(),
  createPortal: () => null,
  flushSync: (f: () => unknown) => f(),
  h: createElement,
  jsx,
  jsxs: jsx,
  jsxDEV: jsx,
  version: '18.3.1',
  ...hooks,
};
const runtimeNames: Names = { __proto__: null, ...React, React, ReactDOM: React };
delete runtimeNames.h;
delete runtimeNames.jsx;
delete runtimeNames.jsxs;
delete runtimeNames.jsxDEV;
delete runtimeNames.act;
delete runtimeNames.version;
