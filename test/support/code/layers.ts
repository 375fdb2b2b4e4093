import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#server/process/program.ts'

const [, table = ''] = /\n## Rooms\n([\s\S]*?)\n## /.exec(readFileSync(join(ROOT, 'server/README.md'), 'utf8')) ?? []

/** The rooms of the program from the bottom up, as `server/README.md` lists them: a room imports only rooms before it. */
export const ROOMS = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) =>
  [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
)

/** A room with more files than this at one level has rooms within it that want a name. */
export const MAX_FILES_PER_LEVEL = 20
