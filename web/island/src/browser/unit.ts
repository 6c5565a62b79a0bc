// A unit is the code of one file of the site. Islands with the same variables share its values, such as stores at the top
// level.
import type { ComponentType, VNode } from 'preact';
import { h, Fragment, React } from './react';
import type { Island } from './island';
import { scope, moduleOf, nothing, marker } from './scope';
import { Included } from './slot';

export type Variables = Record<string, unknown>;

// Thunk is a piece of the author's code: an expression with access to variables and slots.
export type Thunk = (props: Variables, slot: (index: number) => VNode<any>) => VNode<any>;

// Instance is a unit that was run with certain variables.
export interface Instance {
  props: Variables;
  thunks: Record<string, Thunk>;
  lent: Record<string, unknown>; // names that it provides to the files it imports
}

// API holds the functions that a unit's script calls while it runs.
interface API {
  h: typeof h;
  Fragment: typeof Fragment;
  React: typeof React;
  mdx: (file: string) => ComponentType<Variables>;
  missing: () => object;
  unknown: (spec: string) => object;
  lend: (names: Record<string, unknown>) => void;
  define: (thunks: Record<string, Thunk>) => void;
}

type Make = (scope: object, api: API) => void;

const units = new Map<string, Make>(); // by file
const waiting = new Map<string, Island[]>(); // islands waiting for a file
const instances = new Map<string, Instance>(); // by file and variables

// unit registers a unit. The unit's script calls it.
export function unit(id: string, make: Make): void {
  units.set(id, make);
  const islands = waiting.get(id) || [];
  waiting.delete(id);
  for (const island of islands) island.ready();
}

// whenLoaded notifies an island when its unit is loaded, immediately if it already is.
export function whenLoaded(id: string, island: Island): void {
  if (units.has(id)) island.ready();
  else waiting.set(id, [...(waiting.get(id) || []), island]);
}

// instance runs a loaded unit once for each set of variables.
export function instance(id: string, propsText: string): Instance {
  const key = id + '\0' + propsText;
  if (!instances.has(key)) {
    const made: Instance = { props: JSON.parse(propsText || '{}') || {}, thunks: {}, lent: Object.create(null) };
    units.get(id)!(scope(made), {
      h,
      Fragment,
      React,
      mdx: (file) => (props) => h(Included, { file, ...props }),
      missing: () => moduleOf((name) => (name === 'default' || /^[A-Z]/.test(name) ? nothing : undefined)),
      unknown: (spec) => moduleOf((name) => (name === 'default' ? marker(spec) : /^[A-Z]/.test(name) ? marker(name) : undefined)),
      lend: (names) => {
        made.lent = names;
      },
      define: (thunks) => {
        made.thunks = thunks;
      },
    });
    instances.set(key, made);
  }
  return instances.get(key)!;
}
