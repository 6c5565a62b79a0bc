// Addresses that start with / mean the site's root, which is where this script's folder lies, on a server or on a disk.
const folder = '/_lectern/';
const self = document.currentScript ? (document.currentScript as HTMLScriptElement).src : '';
const at = self.lastIndexOf(folder);
const root = at < 0 ? '' : self.slice(0, at);

export function address(path: string, isLink?: boolean): string {
  if (root === '' || path.startsWith('//')) return path;
  if (!isLink || !root.startsWith('file:')) return root + path;
  const [, page, rest] = /^([^?#]*)(.*)$/.exec(path) as unknown as [string, string, string]; // fits every path
  if (page === '/') return root + '/index.html' + rest;
  return root + (/\.\w+$/.test(page) ? page : page.replace(/\/$/, '') + '.html') + rest;
}
