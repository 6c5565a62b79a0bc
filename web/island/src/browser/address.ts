// URLs that start with / are relative to the site's root, which contains this script's folder, on a server or on disk.
const folder = '/_lectern/';
const self = document.currentScript ? (document.currentScript as HTMLScriptElement).src : '';
const at = self.lastIndexOf(folder);
const root = at < 0 ? '' : self.slice(0, at);

export function address(path: string, isLink?: boolean): string {
  if (root === '' || path.startsWith('//')) return path;
  if (!isLink || !root.startsWith('file:')) return root + path;
  const [, page, rest] = /^([^?#]*)(.*)$/.exec(path) as unknown as [string, string, string]; // matches every path
  if (page === '/') return root + '/index.html' + rest;
  return root + (/\.\w+$/.test(page) ? page : page.replace(/\/$/, '') + '.html') + rest;
}
