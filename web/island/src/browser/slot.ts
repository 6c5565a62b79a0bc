// A slot shows content of the page inside a component. It keeps the server's nodes, whatever the component does, so expanded parts
// stay expanded and nested islands keep running.
import { Component, createContext, createElement } from 'preact/compat';
import type { VNode } from 'preact';

export const Content = createContext<Slots | null>(null); // the island's slots

// Held is the content of a slot. Slots finds it by name: a number, or an included file.
interface Held {
  nodes: Node[];
  user: Element | null; // the element that shows them
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

  // take moves a slot's nodes into an element. A second element for the same content gets a copy.
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

  // leave keeps the nodes of an element that is removed.
  leave(name: string, element: Element): void {
    const slot = this.all.get(name);
    if (slot && slot.user === element) {
      slot.nodes = [...element.childNodes];
      slot.user = null;
    }
  }
}

// Slot never renders its content: with dangerouslySetInnerHTML, preact does not change the children, even during hydration.
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

// Included shows content of another file. The server wrote it into a slot named after the file.
export function Included({ file }: { file: string }): VNode<any> {
  return createElement(Slot, { name: file });
}
