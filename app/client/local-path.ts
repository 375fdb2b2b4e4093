/** `path` when it leads to a page of this site, else the start page. */
export function localPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/'
}
