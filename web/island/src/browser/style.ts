// Styles in React's form: names in camel case; numbers are pixels for properties that are lengths.
const plain = new Set(['animationIterationCount', 'aspectRatio', 'columnCount', 'columns', 'fillOpacity', 'flex', 'flexGrow', 'flexShrink', 'floodOpacity',
  'fontWeight', 'gridArea', 'gridColumn', 'gridColumnEnd', 'gridColumnStart', 'gridRow', 'gridRowEnd', 'gridRowStart', 'lineClamp', 'lineHeight', 'opacity',
  'order', 'orphans', 'scale', 'stopOpacity', 'strokeDashoffset', 'strokeMiterlimit', 'strokeOpacity', 'strokeWidth', 'tabSize', 'WebkitLineClamp', 'widows',
  'zIndex', 'zoom']);

export type Style = Record<string, unknown>;

export function setStyle(element: HTMLElement | SVGElement, style: string | Style): void {
  if (typeof style === 'string') {
    element.style.cssText = style;
    return;
  }
  for (const name of Object.keys(style)) {
    const value = style[name];
    if (value === null || value === undefined || typeof value === 'boolean') continue;
    if (name.startsWith('--')) element.style.setProperty(name, value as string);
    else (element.style as unknown as Style)[name] =
      typeof value === 'number' && value !== 0 && !plain.has(name) ? value + 'px' : value;
  }
}
