import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CURL, GITHUB_ACTIONS, GITLAB_CI, JENKINS, SHELL } from '#app/docs/guide/recipes.ts'
import { ROOT } from '#server/process/program.ts'
import { type Outcome, runProgram } from '#test/support/processes/commands.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// The recipes of the guide, against a real web process, a worker and a target.

const { database, web } = testInstallation()
const workers = testWorkers(database.url)

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
  folder = await mkdtemp(join(ROOT, '.test', 'recipes-'))
  await workers.start()
})

afterAll(async () => {
  await target.close()
  await rm(folder, { recursive: true, force: true })
})

function start(command: string, parameters: string[], environment: Record<string, string>): Promise<Outcome> {
  return runProgram(command, parameters, {
    cwd: folder,
    environment: { NODE_ENV: 'production', SOUNDLINE_URL: web.url, SOUNDLINE_KEY: token, ...environment },
  })
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

describe('the recipes of the guide', () => {
  const ADDRESS = 'https://soundline.example.com'
  let serviceId: string

  beforeAll(async () => {
    serviceId = await createService('For recipes', 'Shop')
    await writeFile(join(folder, 'soundline.key'), `${token}\n`)
  })

  const github = () => stepsOf(parse(GITHUB_ACTIONS))
  const gitlab = () => parse(GITLAB_CI).checks.script.join('\n')

  test.each([
    ['GitHub Actions', github],
    ['curl alone', () => CURL],
  ])('%s: passes when the run succeeds', async (_name, script) => {
    status = 200
    const ended = await runScript(script().replace(ADDRESS, web.url))
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
    expect(ended.stdout).toMatch(/passed|"outcome":"success"/)
  })

  test.each([
    ['GitLab CI', gitlab],
    ['curl alone', () => CURL],
  ])('%s: fails when the run fails', async (_name, script) => {
    status = 503
    const ended = await runScript(script())
    expect(ended.code, ended.stdout + ended.stderr).toBe(1)
    expect(ended.stdout).toContain('status 503, expected 200')
  })

  test('Jenkins runs the command of GitLab CI', () => {
    expect(/sh '([^']+)'/.exec(JENKINS)?.[1]).toBe(gitlab())
  })

  test('Shell runs the command of GitHub Actions without its reporters, with the key of a file', async () => {
    const { stdout } = await runScript(`npx() { echo "$SOUNDLINE_KEY npx $*"; }\n${SHELL}`)
    const command = github()
      .replace('$SOUNDLINE_URL', ADDRESS)
      .replace(/ --reporter .*/, '')
    expect(stdout).toBe(`${token} ${command}\n`)
  })

  test('have ten lines or fewer', () => {
    for (const text of [GITHUB_ACTIONS, GITLAB_CI, JENKINS, SHELL, CURL]) {
      expect(text.split('\n').length, text).toBeLessThanOrEqual(10)
    }
  })

  test('name the address and the key as settings of the pipeline', () => {
    expect(parse(GITHUB_ACTIONS).jobs.checks.env).toEqual({
      SOUNDLINE_URL: ADDRESS,
      SOUNDLINE_KEY: `\${{ secrets.SOUNDLINE_KEY }}`,
    })
    expect(parse(GITLAB_CI).checks.variables).toEqual({ SOUNDLINE_URL: ADDRESS })
    expect(JENKINS).toContain(`SOUNDLINE_URL = '${ADDRESS}'`)
  })

  test('write the report that the pipeline reads', async () => {
    expect(parse(GITLAB_CI).checks.artifacts.reports).toEqual({ junit: 'soundline.xml' })
    expect(await readFile(join(folder, 'soundline.xml'), 'utf8')).toContain('<testsuite')
  })

  /** Runs the commands of a recipe with the settings of its pipeline. npm has no other packages and an empty cache. */
  function runScript(script: string): Promise<Outcome> {
    return start('sh', ['-uc', script], { SERVICE_ID: serviceId, npm_config_cache: join(folder, 'npm') })
  }
})

function stepsOf(workflow: { jobs: { checks: { steps: { run: string }[] } } }): string {
  return workflow.jobs.checks.steps.map(({ run }) => run).join('\n')
}

async function createService(workspaceName: string, projectName = 'Checkout'): Promise<string> {
  const workspace = await send('POST', '/workspaces', { name: workspaceName })
  const project = await send('POST', '/projects', { workspaceId: workspace.id, name: projectName })
  const service = await send('POST', '/services', {
    projectId: project.id,
    name: 'Shop',
    schedule: '0 0 1 1 *',
    script: `get("http://127.0.0.1:${target.port}/health").expect(status: 200)`,
  })
  return service.id
}
