// <Steps> and <Step>.
import { createContext, createElement as h, useContext, useRef } from 'preact/compat';
import type { ComponentChildren, VNode } from 'preact';
import { icon, rich } from './keep';

// Counter numbers the steps of one list.
interface Counter {
  n: number;
  size: string | undefined; // tag of the titles
}
const Count = createContext<Counter | null>(null);

interface StepsProps {
  titleSize?: string;
  className?: string;
  id?: string;
  children?: ComponentChildren;
}

export function Steps(props: StepsProps): VNode<any> {
  const count: Counter = { n: 0, size: props.titleSize };
  return h('div', { class: ['steps', props.className].filter(Boolean).join(' '), id: props.id, role: 'list' }, h(Count.Provider, { value: count }, props.children));
}

interface StepProps {
  title?: ComponentChildren;
  titleSize?: string;
  description?: ComponentChildren;
  icon?: ComponentChildren;
  stepNumber?: number | string;
  id?: string;
  children?: ComponentChildren;
}

export function Step(props: StepProps): VNode<any> {
  const count = useContext(Count);
  const mine = useRef(0);
  if (mine.current === 0) mine.current = count ? ++count.n : 1;
  const size = props.titleSize || (count && count.size) || 'p';
  return h('div', { class: 'step', role: count ? 'listitem' : undefined },
    h('span', { class: 'step-mark', 'data-platform': '' }, props.icon ? icon(props.icon, 'step-icon') : String(props.stepNumber ?? mine.current)),
    h('div', { class: 'step-main' }, rich(size, { class: 'step-title', id: props.id }, props.title), rich('p', { class: 'step-note' }, props.description),
      h('div', { class: 'step-body flow' }, props.children)));
}
