import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUN_AND_WAIT_SHELL, RUN_AND_WAIT_TYPESCRIPT } from '#app/docs/guide/scripts.ts'
import { writeClient } from '#server/commands/write-client.ts'
import { FROM_WORKSPACE_TO_BODY } from '#test/support/api/client-program.ts'
import { testDatabase } from '#test/support/database.ts'
import { webProcess } from '#test/support/processes/web-process.ts'
import { workerProcesses } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Programs as callers would write them, against real processes: the front on a port, a worker, a target.

const database = testDatabase()
const web = webProcess(database.url)
const workers = workerProcesses(database.url)
const ROOT = new URL('../../../', import.meta.url).pathname

let folder: string
let target: HttpTarget
let token: string
let status = 200

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end('{"greeting":"Ahoy"}')
  })
  const organization = await database.create.organization()
  token = (await database.create.key(organization.owner, { access: 'write' })).token
  // Inside the project, so that its packages are found.
  await mkdir(join(ROOT, '.test'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.test', 'living-'))
  await writeClient(join(folder, 'soundline-client'))
  await writeFile(join(folder, 'drive.ts'), FROM_WORKSPACE_TO_BODY)
  await writeFile(join(folder, 'run-and-wait.ts'), RUN_AND_WAIT_TYPESCRIPT)
  await writeFile(join(folder, 'run-and-wait.sh'), RUN_AND_WAIT_SHELL)
  await workers.start()
})

afterAll(async () => {
  await target.close()
  await rm(folder, { recursive: true, force: true })
})

type Ended = { code: number | null; stdout: string; stderr: string }

async function run(command: string, file: string, environment: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(command, [join(folder, file)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      SOUNDLINE_URL: web.url,
      SOUNDLINE_KEY: token,
      TARGET_URL: `http://127.0.0.1:${target.port}/health`,
      ...environment,
    },
  })
  const ended: Ended = { code: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ended.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ended.stderr += text
  })
  ended.code = await new Promise((resolve) => child.once('close', resolve))
  return ended
}

async function send(method: string, path: string, body: unknown): Promise<{ id: string }> {
  const response = await fetch(`${web.url}/api/public/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
  return response.json()
}

test('the generated client goes from a workspace to the body of a step', async () => {
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
    const workspace = await send('POST', '/workspaces', { name: `For ${file}` })
    const project = await send('POST', '/projects', { workspaceId: workspace.id, name: 'Checkout' })
    const service = await send('POST', '/services', {
      projectId: project.id,
      name: 'Shop',
      schedule: '0 0 1 1 *',
      script: `get("http://127.0.0.1:${target.port}/health").expect(status: 200)`,
    })
    serviceId = service.id
  })

  test('ends with 0 when the run succeeds', async () => {
    status = 200
    const ended = await run(command, file, { SERVICE_ID: serviceId })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^success in \d+ ms\n1\. http:\/\/127\.0\.0\.1:\d+\/health 200/)
  })

  test('ends with 1 when it fails', async () => {
    status = 503
    // Within the same second, the query would find the earlier run.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const ended = await run(command, file, { SERVICE_ID: serviceId })
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.stdout).toMatch(/^failure in \d+ ms\nGET http:\S+\/health: status 503, expected 200\n1\. /)
  })

  test('ends with 2, naming the code, when the run is refused', async () => {
    await send('PATCH', `/services/${serviceId}/toggle`, { isActive: false })
    const ended = await run(command, file, { SERVICE_ID: serviceId })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('service_inactive')
  })
})
