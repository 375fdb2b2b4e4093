import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { type Arrow, fileCircles, folderPairs } from '#test/support/code/circles.ts'
import { MAX_FILES_PER_LEVEL, ROOMS } from '#test/support/code/layers.ts'
import { type Import, importsThat, PROGRAM, type Source, source, sources } from '#test/support/code/sources.ts'

// Which file may import which, and where files go. Each rule lists the places that break it.

/** What the package `soundline` is made of: besides its own, the rooms, texts and field rules that need no installation. */
const CLI_ROOMS = ['server/cli', 'server/language/lace', 'server/language/script-import']
const CLI_FILES = [
  'scripts/limits.ts',
  'results/assertion-text.ts',
  'results/agent-faults.ts',
  'results/skipped-text.ts',
  'duration-text.ts',
  'conventions.ts',
  'services.ts',
  'status/states.ts',
  'variables.ts',
].map((file) => `server/schemas/${file}`)

/** Imports from one file of the program to another. */
const arrows: Arrow[] = sources(PROGRAM).flatMap(({ file, imports }) =>
  imports.flatMap((found) =>
    found.file === null ? [] : [{ from: file, to: found.file, place: `${file}:${found.line}` }],
  ),
)

describe('who imports whom', () => {
  test('the program imports no tests', () => {
    expect(arrows.filter(({ to }) => to.startsWith('test/')).map(describeArrow)).toEqual([])
  })

  test('app imports server, worker imports server and db, server imports db', () => {
    const allowed: Record<string, string[]> = {
      app: ['app', 'server'],
      worker: ['worker', 'server', 'db'],
      // The manifest names the release.
      server: ['server', 'db', 'package.json'],
      db: ['db'],
    }
    const wrong = arrows.filter(({ from, to }) => !allowed[topOf(from)]?.includes(topOf(to)))
    expect(wrong.map(describeArrow)).toEqual([])
  })

  test('worker imports no operation, no front and no tRPC', () => {
    const refused = ['operations', 'fronts', 'commands', 'trpc.ts', 'router.ts', 'handlers.ts', 'runtime.ts']
    const rooms = refused.map((name) => `server/${name}`)
    expect(rooms.filter((room) => !existsSync(join(ROOT, room)))).toEqual([])
    const wrong = ({ file, specifier, isType }: Import) =>
      (file !== null && within(file, ...rooms)) || (/^@trpc\//.test(specifier) && !isType)
    expect(importsThat('worker', wrong)).toEqual([])
  })

  test('server validates the language, and only worker executes it', () => {
    const wrong = arrows.filter(
      ({ from, to }) =>
        from.startsWith('server/') &&
        !from.startsWith('server/language/lace/') &&
        /^server\/language\/lace\/(executor|evaluation)/.test(to),
    )
    expect(wrong.map(describeArrow)).toEqual([])
  })

  test('the language imports nothing of the rest of the program but the queue of its threads', () => {
    const wrong = ({ file }: Import) => file !== null && !within(file, 'server/language/lace', 'server/fairness')
    expect(importsThat('server/language/lace', wrong)).toEqual([])
  })

  test('the command line is a package of its own, with the language and the import of scripts', () => {
    const wrong = ({ file }: Import) => !within(file, ...CLI_ROOMS) && !CLI_FILES.includes(file ?? '')
    expect(importsThat('server/cli', wrong)).toEqual([])
  })

  test('a remote agent loads neither the database nor the keys of the installation', () => {
    const reached = loadedBy('worker/agent/main.ts')
    expect(reached.files.filter((file) => /^db\/|^server\/vault\.ts$/.test(file))).toEqual([])
    expect(reached.packages.filter((name) => /postgres|^pg|drizzle|graphile|argon2|iron-webcrypto/.test(name))).toEqual(
      [],
    )
    expect(reached.files.length).toBeGreaterThan(50)
  })

  test("client components import server/schemas, the builder and the import of scripts, and else the router's type alone", () => {
    const wrong = [...clientFiles()].flatMap((file) =>
      source(file)
        .imports.filter((found) => {
          if (!within(found.file, 'server') || found.file === null) return false
          if (within(found.file, 'server/schemas', 'server/language/builder', 'server/language/script-import'))
            return false
          return !(found.isType && found.file === 'server/router.ts' && found.names.join() === 'AppRouter')
        })
        .map((found) => `${file}:${found.line} ${found.specifier}`),
    )
    expect(wrong).toEqual([])
    expect(clientFiles().size).toBeGreaterThan(10)
  })

  test('client components load no table of errors, because the server sends the text to show', () => {
    const loaded = [...clientFiles()].filter((file) =>
      loadedBy(file).files.some((one) => within(one, 'server/schemas/errors')),
    )
    expect(loaded).toEqual([])
  })

  test('pages get the modules of the server from Node, so that Next bundles no copy of them', () => {
    const bundled = sources(['app']).flatMap(({ file }) => loadedBy(file).files)
    const small = ['app', 'server/schemas', 'server/language']
    const wrong = bundled.filter((file) => !within(file, ...small) && !isPureLeaf(file))
    expect([...new Set(wrong)].sort()).toEqual([])
    expect(loadedBy('server/app-exports.ts').files.length).toBeGreaterThan(300)
  })

  test('server/schemas is pure: itself and zod', () => {
    const wrong = ({ file, specifier, isType }: Import) =>
      !isType && (file === null ? specifier !== 'zod' : !isPureLeaf(file))
    expect(importsThat('server/schemas', wrong)).toEqual([])
  })

  test('server/language/builder imports nothing of the rest of the program but the language and its import', () => {
    const wrong = ({ file }: Import) => file !== null && !within(file, 'server/language')
    expect(importsThat('server/language/builder', wrong)).toEqual([])
  })

  test('server/language/script-import imports nothing of the rest of the program', () => {
    const wrong = ({ file }: Import) => file !== null && !within(file, 'server/language/script-import')
    expect(importsThat('server/language/script-import', wrong)).toEqual([])
  })
})

describe('the rooms', () => {
  test('no files import each other in a circle, type imports included', () => {
    expect(fileCircles(arrows)).toEqual([])
  })

  test('no two folders import each other', () => {
    expect(folderPairs(arrows)).toEqual([])
  })

  test('a room imports only rooms that the README lists above it', () => {
    const wrong = arrows.filter(({ from, to }) => {
      const [upper, lower] = [ROOMS.indexOf(roomOf(from)), ROOMS.indexOf(roomOf(to))]
      return upper >= 0 && lower > upper
    })
    expect(wrong.map(describeArrow)).toEqual([])
  })

  test('every room has its place in the order', () => {
    const rooms = new Set(sources(['server', 'worker', 'db']).map(({ file }) => roomOf(file)))
    expect([...rooms].filter((room) => room !== 'db').sort()).toEqual(ROOMS.toSorted())
  })

  test('no room has more than 20 files of its own at one level', () => {
    const perFolder = Map.groupBy(globSync('{app,server,worker,db,test}/**/*.*', { cwd: ROOT }), (file) =>
      dirname(file),
    )
    // Data that tools number and the language publishes, and the pages of books, whose addresses are their names.
    const data =
      /^app\/docs\/content\/|^test\/lace\/vectors\/|^test\/server\/cli\/code\/import\/sources|^db\/migrations/
    const full = [...perFolder].filter(([folder, files]) => files.length > MAX_FILES_PER_LEVEL && !data.test(folder))
    expect(full.map(([folder, files]) => `${folder}: ${files.length} files; move a subject into a folder`)).toEqual([])
  })
})

/** The files and packages that a file loads, directly or through others. */
function loadedBy(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>([entry])
  const packages = new Set<string>()
  for (const file of files) {
    for (const found of source(file).imports.filter(({ isType }) => !isType)) {
      if (found.file === null) packages.add(found.specifier)
      else files.add(found.file)
    }
  }
  return { files: [...files], packages: [...packages] }
}

function describeArrow({ place, to }: Arrow): string {
  return `${place} -> ${to}`
}

function topOf(file: string): string {
  return file.split('/', 1)[0] as string
}

/** The room of a file: its first two folders, or the file itself at the top of `server` and `worker`. */
function roomOf(file: string): string {
  const room = file.split('/').slice(0, 2).join('/')
  return room === file && file.startsWith('db/') ? 'db' : room
}

/** Whether an import stays within these folders. Packages always do. */
function within(file: string | null, ...folders: string[]): boolean {
  return file === null || folders.some((folder) => file.startsWith(`${folder}/`))
}

/** Whether a file is a schema, or loads only files that schemas may load. */
function isPureLeaf(file: string): boolean {
  if (within(file, 'server/schemas')) return true
  return source(file).imports.every(({ file: next, isType }) => isType || (next !== null && isPureLeaf(next)))
}

/** Files that are sent to the browser: client components and what they import. */
function clientFiles(): Set<string> {
  const reached = new Set<string>()
  const waiting = sources(['app'])
    .filter(isClientEntry)
    .map(({ file }) => file)
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    for (const { file: next, isType } of source(file).imports) {
      if (next && !isType && /^app\/.*\.tsx?$/.test(next)) waiting.push(next)
    }
  }
  return reached
}

function isClientEntry({ tree }: Source): boolean {
  const [first] = tree.statements
  return Boolean(
    first &&
      ts.isExpressionStatement(first) &&
      ts.isStringLiteral(first.expression) &&
      first.expression.text === 'use client',
  )
}
