// The browser part of author components. Only pages with such a component load it, as a classic script, so that these pages also work from
// disk.
import { unit } from './unit';
import { Island } from './island';
import * as react from './react';

// Page is the window: scripts of units call Lectern, and some authors expect React.
type Page = { Lectern?: object; React?: object };

(globalThis as Page).Lectern = { ...(globalThis as Page).Lectern, unit };
if (!(globalThis as Page).React) (globalThis as Page).React = react.React;
customElements.define('lectern-island', Island);
