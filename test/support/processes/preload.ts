const FILES = ['../../../server/commands/preload.mjs', './flush-compile-cache.mjs', './cache-packages.mjs']

/** The arguments of Node with which tests start a program: those of the npm scripts, and two that save processor time. */
export const PRELOAD = FILES.flatMap((file) => ['--import', new URL(file, import.meta.url).href])
