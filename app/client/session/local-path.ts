/** Returns `path` if it is a path on this site, otherwise `/`. Prevents open redirects. */
export function localPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/'
}
