/** The arguments of Node with which the npm scripts start a program. */
export const PRELOAD = ['--import', new URL('../../../server/commands/preload.mjs', import.meta.url).href]
