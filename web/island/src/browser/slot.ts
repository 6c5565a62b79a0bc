// A slot shows content of the page inside a component. Its nodes are the server's and stay the same ones, whatever the component does:
// opened parts stay open, nested islands stay alive.
import { Component, createContext, createElement } from 'preact/compat';
import type { VNode } from 'preact';

export const Content = createContext<Slots | null>(null); // the island's slots

// Slots keeps content by name: a number, or an included file.
interface Held {
  nodes: Node[];
  user: Element | null; // that shows them
}

export class Slots {
  declare private all: Map<string, Held>;

  constructor(island: Element) {
    this.all = new Map();
    for (const template of [...island.children].filter(
      (child): child is HTMLTemplateElement => child.matches('template[data-slot]'),
    )) {
      this.all.set(template.dataset.slot!, { nodes: [...template.content.childNodes], user: null });
      template.remove();
    }
  }

  // take gives a slot's nodes to an element that has none of them yet. A second place for the same content gets a copy.
  take(name: string, element: Element): void {
    const slot = this.all.get(name);
    if (!slot) {
      this.all.set(name, { nodes: [...element.childNodes], user: element });
      return;
    }
    if (slot.user === null) {
      slot.user = element;
      element.replaceChildren(...slot.nodes);
    } else if (slot.user !== element && !element.hasChildNodes()) {
      element.replaceChildren(...slot.nodes.map((node) => node.cloneNode(true)));
    }
  }

  // leave keeps the nodes of an element that goes away.
  leave(name: string, element: Element): void {
    const slot = this.all.get(name);
    if (slot && slot.user === element) {
      slot.nodes = [...element.childNodes];
      slot.user = null;
    }
  }
}

// Slot never renders its content: dangerouslySetInnerHTML tells preact to leave the children alone, also while it hydrates.
export class Slot extends Component<{ name: string }> {
  declare static contextType: typeof Content;
  declare private slots: Slots;
  declare private element: Element;

  shouldComponentUpdate(): boolean {
    return false;
  }
  componentDidMount(): void {
    this.slots = this.context;
    this.slots.take(this.props.name, this.element);
  }
  componentWillUnmount(): void {
    this.slots.leave(this.props.name, this.element);
  }
  render(): VNode<any> {
    return createElement('lectern-slot', {
      'data-n': this.props.name,
      dangerouslySetInnerHTML: { __html: '' },
      ref: (element: Element | null) => {
        if (element) this.element = element;
      },
    });
  }
}
Slot.contextType = Content;

// Included is content of another file. The server wrote it into a slot named after the file.
export function Included({ file }: { file: string }): VNode<any> {
  return createElement(Slot, { name: file });
}
