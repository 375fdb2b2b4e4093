import { flushCompileCache } from 'node:module'

// Node writes its compile cache when a process exits, and most tests kill the programs that they start.
setInterval(flushCompileCache, 3_000).unref()
