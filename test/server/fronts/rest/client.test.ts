import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUN_AND_WAIT_SHELL, RUN_AND_WAIT_TYPESCRIPT } from '#app/docs/guide/scripts.ts'
import { buildDocument } from '#server/fronts/rest/document.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront } from '#server/http/front.ts'
import { ROOT } from '#server/process/program.ts'
import { testApi } from '#test/support/api/api.ts'
import { FROM_WORKSPACE_TO_BODY, HEY_API_PROGRAM } from '#test/support/api/client-program.ts'
import type { Key } from '#test/support/factories.ts'
import { type Outcome, runProgram } from '#test/support/processes/commands.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Clients of two generators: each is generated, compiled under strict options, and used over HTTP as callers would, against
// the front on a port, a worker and a target. So are the programs that the guide shows.

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

const api = testApi({ settings: { SECRET_KEYS: TEST_SECRET_KEYS, PROBE_ALLOWED_NETWORKS: '127.0.0.0/8' } })
const workers = testWorkers(api.databaseUrl)

/** Inside the project, so that its packages are found. */
let folder: string
let front: Server
let url: string
let target: HttpTarget
let status = 200
let key: Key

beforeAll(async () => {
  await mkdir(join(ROOT, '.test'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.test', 'client-'))
  const document = createDocument(api.runtime)
  front = createFront({ runtime: api.runtime, api: api.facade, document, health: createHealth(api.runtime) })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  target = await startHttpTarget((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end('{"greeting":"Ahoy"}')
  })
  key = await api.create.key((await api.create.organization()).owner, { access: 'write' })
  api.runtime.live.start()
})

afterAll(async () => {
  await api.runtime.live.close()
  await new Promise((resolve) => front.close(resolve))
  await target.close()
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
    await writeFile(join(folder, 'drive.ts'), FROM_WORKSPACE_TO_BODY)
    await writeFile(join(folder, 'run-and-wait.ts'), RUN_AND_WAIT_TYPESCRIPT)
    await writeFile(join(folder, 'run-and-wait.sh'), RUN_AND_WAIT_SHELL)
  })

  test('compile under strict options, and a program with a mistake does not', async () => {
    const wrong = FROM_WORKSPACE_TO_BODY.replace("body: { name: 'Driven' }", "body: { title: 'Driven' }")
    await writeFile(join(folder, 'wrong.ts'), wrong)
    const problems = await problemsOf({
      // Includes the declarations of the client and of its packages.
      strictest: {
        options: { exactOptionalPropertyTypes: true, skipLibCheck: false },
        files: ['drive.ts', 'run-and-wait.ts', 'wrong.ts'],
      },
      // The calls that hey-api writes do not compile with `exactOptionalPropertyTypes`.
      strict: { options: { skipLibCheck: true }, files: ['use-hey-api.ts'] },
    })
    expect(problems, problems.join('\n')).toHaveLength(1)
    expect(problems[0]).toMatch(/^wrong\.ts.*'title' does not exist/)
  })

  test('of hey-api: creates, runs, reads, is refused and deletes', async () => {
    const ended = await run(process.execPath, 'use-hey-api.ts')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ended.stdout)).toEqual({
      run: ['queued', 'request', 'deploy 42'],
      refusal: [409, 'already_exists', 'name'],
      removed: true,
    })
  })

  describe('with a worker', () => {
    beforeAll(() => workers.start())

    test('of the installation: goes from a workspace to the body of a step', async () => {
      const ended = await run(process.execPath, 'drive.ts')
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(ended.stdout)).toEqual({
        access: 'write',
        refusal: [409, 'already_exists'],
        isActive: true,
        status: 'success',
        statusCode: 200,
        content: '{"greeting":"Ahoy"}',
        removed: true,
      })
    })

    describe.each([
      ['sh', 'run-and-wait.sh'],
      [process.execPath, 'run-and-wait.ts'],
    ])("the guide's script: %s %s", (command, file) => {
      let serviceId: string

      beforeAll(async () => {
        const workspace = await create('/workspaces', { name: `For ${file}` })
        const project = await create('/projects', { workspaceId: workspace, name: 'Checkout' })
        const script = `get("http://127.0.0.1:${target.port}/health").expect(status: 200)`
        serviceId = await create('/services', { projectId: project, name: 'Shop', schedule: '0 0 1 1 *', script })
      })

      test('ends with 0 when the run succeeds', async () => {
        status = 200
        const ended = await run(command, file, { SERVICE_ID: serviceId })
        expect(ended).toMatchObject({ code: 0, stderr: '' })
        expect(ended.stdout).toMatch(/^success\nlocal: success in \d+ ms, http:\S+\/results\/\S+\n$/)
      })

      test('ends with 1 when it fails', async () => {
        status = 503
        const ended = await run(command, file, { SERVICE_ID: serviceId })
        expect(ended).toMatchObject({ code: 1, stderr: '' })
        expect(ended.stdout).toMatch(/^failure\nGET http:\S+\/health: status 503, expected 200\nlocal: failure in /)
      })

      test('ends with 2, naming the code, when the run is refused', async () => {
        await api.call(key, 'PATCH', `/services/${serviceId}/toggle`, { body: { isActive: false } })
        const ended = await run(command, file, { SERVICE_ID: serviceId })
        expect(ended.code).toBe(2)
        expect(ended.stderr).toContain('service_inactive')
      })
    })
  })
})

async function create(path: string, body: object): Promise<string> {
  return (await api.call<{ id: string }>(key, 'POST', path, { body })).body.id
}

/** Runs a program of the folder as a caller does. */
function run(command: string, file: string, environment: Record<string, string> = {}): Promise<Outcome> {
  return runProgram(command, [join(folder, file)], {
    cwd: folder,
    environment: {
      NODE_ENV: 'production',
      SOUNDLINE_URL: url,
      SOUNDLINE_KEY: key.token,
      TARGET_URL: `http://127.0.0.1:${target.port}/health`,
      ...environment,
    },
  })
}

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
