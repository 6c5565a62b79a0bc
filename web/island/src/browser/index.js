// The browser's half of author components. It is shipped only on pages that have one, as a classic script: such pages also open from disk.
import { unit } from './unit.js';
import { Island } from './island.js';
import * as react from './react.js';

globalThis.Lectern = { ...globalThis.Lectern, unit };
if (!globalThis.React) globalThis.React = react.React; // some authors look for it there
customElements.define('lectern-island', Island);
