// <lectern-island>: server HTML that is hydrated when it comes near the window, the browser is idle, or the reader
// touches it.
import { Component, createElement, hydrate, render } from 'preact/compat';
import type { ComponentChildren, VNode } from 'preact';
import { Content, Slot, Slots } from './slot';
import { instance, whenLoaded } from './unit';
import type { Thunk as Run, Variables } from './unit';
import { whileHydrating } from './keep';

const touches = ['pointerdown', 'pointerover', 'focusin', 'keydown', 'touchstart'];

// Guard shows the server's HTML again when a component throws.
interface GuardProps {
  html: string;
  children?: ComponentChildren;
}

class Guard extends Component<GuardProps, { failed: boolean }> {
  constructor(props: GuardProps) {
    super(props);
    this.state = { failed: false };
  }
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  componentDidCatch(error: unknown): void {
    console.error(error);
  }
  render(): ComponentChildren {
    if (this.state.failed) return createElement('div', { dangerouslySetInnerHTML: { __html: this.props.html } });
    return this.props.children;
  }
}

// Thunk calls the author's expression inside a component, so that hooks work in it.
function Thunk({ run, props }: { run: Run; props: Variables }): VNode<any> {
  return run(props, (index: number) => createElement(Slot, { name: String(index) }));
}

export class Island extends HTMLElement {
  declare private alive: boolean | undefined; // it is hydrated
  declare private watch: AbortController | null | undefined; // removes the listeners that wake it; set until then
  declare private sight: IntersectionObserver | undefined;

  connectedCallback(): void {
    if (this.alive || this.watch) return;
    this.watch = new AbortController();
    const wake = () => this.wake();
    for (const type of touches) this.addEventListener(type, wake, { capture: true, passive: true, signal: this.watch.signal });
    this.sight = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && wake(), { rootMargin: '300px' });
    this.sight.observe(this);
    const idle = globalThis.requestIdleCallback || ((f: () => void) => setTimeout(f, 200)); // Safari does not have it
    idle(wake, { timeout: 3000 });
  }

  wake(): void {
    if (!this.watch || !this.isConnected) return;
    this.stop();
    whenLoaded(this.dataset.unit!, this);
  }

  stop(): void {
    this.watch?.abort();
    this.sight?.disconnect();
    this.watch = null;
  }

  // ready is called when the code is loaded.
  ready(): void {
    if (this.alive || !this.isConnected) return;
    this.alive = true;
    const html = this.innerHTML;
    try {
      const unit = instance(this.dataset.unit!, this.dataset.props!);
      const run = unit.thunks[this.dataset.thunk!];
      if (!run) throw new Error('island: no code for ' + this.dataset.unit + ' ' + this.dataset.thunk);
      const tree = createElement(Guard, { html },
        createElement(Content.Provider, { value: new Slots(this) }, createElement(Thunk, { run, props: unit.props })));
      whileHydrating(() => hydrate(tree, this));
      this.dataset.alive = '';
    } catch (error) {
      console.error(error);
      this.innerHTML = html;
    }
  }

  // Slots move their nodes when the enclosing component changes, so only an island that stays disconnected is
  // unmounted.
  disconnectedCallback(): void {
    this.stop();
    if (!this.alive) return;
    queueMicrotask(() => {
      if (this.isConnected) return;
      render(null, this);
      this.alive = false;
    });
  }
}
