/** The arguments of Node with which tests start a program: those of the npm scripts, and one for the compile cache. */
export const PRELOAD = ['../../../server/commands/preload.mjs', './flush-compile-cache.mjs'].flatMap((file) => [
  '--import',
  new URL(file, import.meta.url).href,
])
