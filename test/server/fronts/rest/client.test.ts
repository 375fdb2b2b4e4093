import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUN_AND_WAIT_TYPESCRIPT } from '#app/docs/guide/scripts.ts'
import { buildDocument } from '#server/fronts/rest/document.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront } from '#server/http/front.ts'
import { ROOT } from '#server/process/program.ts'
import { testApi } from '#test/support/api/api.ts'
import { FROM_WORKSPACE_TO_BODY, HEY_API_PROGRAM } from '#test/support/api/client-program.ts'

// Clients of two generators: each is generated and compiled under strict options. That of hey-api is used over HTTP here,
// that of the installation in client-living.test.ts.

const execute = promisify(execFile)
const WRITE_CLIENT = join(ROOT, 'server/commands/write-client.ts')
const NATIVE_COMPILER = join(ROOT, 'node_modules/typescript-native/bin/tsc')
const STRICT = {
  strict: true,
  noEmit: true,
  module: 'preserve',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  allowImportingTsExtensions: true,
  noUncheckedIndexedAccess: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
}

const api = testApi()

/** Inside the project, so that its packages are found. */
let folder: string
let front: Server

beforeAll(async () => {
  await mkdir(join(ROOT, '.test'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.test', 'client-'))
  const document = createDocument(api.runtime)
  front = createFront({ runtime: api.runtime, api: api.facade, document, health: createHealth(api.runtime) })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await new Promise((resolve) => front.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

test('npm run client does not take an option for a folder', async () => {
  const { stdout } = await execute(process.execPath, [WRITE_CLIENT, '--help'], { cwd: folder })
  expect(stdout).toBe('Usage: npm run client -- [FOLDER]\n')
  expect(await readdir(folder)).toEqual([])
})

describe('generated clients', () => {
  beforeAll(async () => {
    const { stdout } = await execute(process.execPath, [WRITE_CLIENT, join(folder, 'soundline-client')])
    expect(stdout).toContain('openapi-fetch')
    await generateWithHeyApi(JSON.parse(JSON.stringify(buildDocument())))
    await writeFile(join(folder, 'use-hey-api.ts'), HEY_API_PROGRAM)
  })

  test('compile under strict options, and a program with a mistake does not', async () => {
    const programs = {
      'drive.ts': FROM_WORKSPACE_TO_BODY,
      'run-and-wait.ts': RUN_AND_WAIT_TYPESCRIPT,
      'wrong.ts': FROM_WORKSPACE_TO_BODY.replace("body: { name: 'Driven' }", "body: { title: 'Driven' }"),
    }
    for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), text)
    const problems = await problemsOf({
      // Includes the declarations of the client and of its packages.
      strictest: {
        options: { exactOptionalPropertyTypes: true, skipLibCheck: false },
        files: Object.keys(programs),
      },
      // The calls that hey-api writes do not compile with `exactOptionalPropertyTypes`.
      strict: { options: { skipLibCheck: true }, files: ['use-hey-api.ts'] },
    })
    expect(problems, problems.join('\n')).toHaveLength(1)
    expect(problems[0]).toMatch(/^wrong\.ts.*'title' does not exist/)
  })

  test('of hey-api: creates, runs, reads, is refused and deletes', async () => {
    const key = await api.create.key((await api.create.organization()).owner, { access: 'write' })
    const { port } = front.address() as AddressInfo
    const { stdout, stderr } = await execute(process.execPath, [join(folder, 'use-hey-api.ts')], {
      env: { ...process.env, SOUNDLINE_URL: `http://127.0.0.1:${port}`, SOUNDLINE_KEY: key.token },
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      run: ['queued', 'request', 'deploy 42'],
      refusal: [409, 'already_exists', 'name'],
      removed: true,
    })
  })
})

/** Writes the client of hey-api. Imports name their files in full, as Node needs them. */
async function generateWithHeyApi(input: Record<string, unknown>): Promise<void> {
  await createClient({
    input,
    output: { path: join(folder, 'hey-api'), module: { extension: '.ts' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent', file: false },
  })
}

type Compilation = { options: Record<string, boolean>; files: string[] }

/** Compiles everything in one process. Returns the messages about the files and everything they import. */
async function problemsOf(compilations: Record<string, Compilation>): Promise<string[]> {
  for (const [name, { options, files }] of Object.entries(compilations)) {
    const compilerOptions = { ...STRICT, ...options }
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files }))
  }
  const projects = Object.keys(compilations).map((name) => `${name}.json`)
  const { stdout } = await execute(process.execPath, [NATIVE_COMPILER, '-b', ...projects, '--pretty', 'false'], {
    cwd: folder,
  }).catch((reason: { stdout: string }) => reason)
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}
