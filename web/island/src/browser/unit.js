// A unit is the code of one file of the site. Islands with the same variables share what it makes, such as stores at its top.
import { h, Fragment, React } from './react.js';
import { scope, moduleOf, nothing, marker } from './scope.js';
import { Included } from './slot.js';

const units = new Map(); // file → function
const waiting = new Map(); // file → islands that wait for it
const instances = new Map(); // file and variables → thunks and variables

// unit is what a unit's script calls.
export function unit(id, make) {
  units.set(id, make);
  const islands = waiting.get(id) || [];
  waiting.delete(id);
  for (const island of islands) island.ready();
}

// whenLoaded tells an island at once, or later, that its unit is there.
export function whenLoaded(id, island) {
  if (units.has(id)) island.ready();
  else waiting.set(id, [...(waiting.get(id) || []), island]);
}

export function instance(id, propsText) {
  const key = id + '\0' + propsText;
  if (!instances.has(key)) {
    const made = { props: JSON.parse(propsText || '{}') || {}, thunks: {}, lent: Object.create(null) };
    units.get(id)(scope(made), {
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
  return instances.get(key);
}
