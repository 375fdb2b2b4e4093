type Server = typeof import('#server/app-exports.ts')

// Where this file is; in Next's bundle, where it was.
const here = import.meta.url
const root = here.slice(0, here.lastIndexOf('/app/'))

/**
 * The server's own modules, for pages and route handlers. Node loads them, once for the whole process. In Next's bundle
 * they would be a copy: twice the time and processor time of a build, and some 20 MB of memory.
 */
export const server: Server = await import(/* turbopackIgnore: true */ `${root}/server/app-exports.ts`)
