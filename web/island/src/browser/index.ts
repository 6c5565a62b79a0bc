// The browser's half of author components. It is shipped only on pages that have one, as a classic script: such pages also open from disk.
import { unit } from './unit';
import { Island } from './island';
import * as react from './react';

// Page is the window: scripts of units call Lectern, and some authors look for React.
type Page = { Lectern?: object; React?: object };

(globalThis as Page).Lectern = { ...(globalThis as Page).Lectern, unit };
if (!(globalThis as Page).React) (globalThis as Page).React = react.React;
customElements.define('lectern-island', Island);
