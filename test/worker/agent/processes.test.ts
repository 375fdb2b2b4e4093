import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writePackage } from '#server/process/packages.ts'
import { ROOT } from '#server/process/program.ts'
import { agentProcesses, lowestNode } from '#test/support/agents/agent-processes.ts'
import { type AgentServer, assignmentOf, refusal, startAgentServer, TOKEN } from '#test/support/agents/agent-server.ts'
import { testFolder } from '#test/support/folder.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { REFUSED_EXIT_CODE } from '#worker/agent/requests.ts'

// Remote agents as processes, against a server whose answers the test decides. One of them is the package.

const parent = testFolder()
const start = agentProcesses()
const packageProgram = join(parent, 'package', 'worker', 'agent', 'main.js')
const startPackage = agentProcesses([await lowestNode(), packageProgram])
let server: AgentServer
let target: HttpTarget
let requests = 0

beforeAll(async () => {
  server = await startAgentServer()
  target = await startHttpTarget((_request, response) => {
    requests++
    response.end('{}')
  })
  await writePackage(ROOT, 'agent', join(parent, 'agent.tgz'))
  await promisify(execFile)('tar', ['-xzf', join(parent, 'agent.tgz'), '-C', parent])
})
afterAll(() => Promise.all([server.close(), target.close()]))

const newFolder = () => mkdtempSync(join(parent, 'data-'))
const environment = (folder: string) => ({
  SOUNDLINE_URL: server.url,
  AGENT_TOKEN: TOKEN,
  AGENT_DATA_DIR: folder,
  PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
})
const assignment = () => assignmentOf(`http://127.0.0.1:${target.port}/`, { saveBodies: true })

test('the package runs under the lowest Node, survives kill -9 with what it has, and ends on SIGTERM', async () => {
  const folder = newFolder()
  const runs = [assignment(), assignment(), assignment()]
  server.answer = (path) => (path === 'bodies' || path === 'results' ? { status: 503 } : undefined)
  server.assign(...runs)
  const killed = startPackage(environment(folder))
  await expect.poll(() => server.heartbeats.at(-1)).toMatchObject({ busy: 0, held: [{}, {}, {}] })
  await killed.end('SIGKILL')
  expect(server.uploads).toEqual([])

  server.answer = () => undefined
  const { AGENT_TOKEN, ...enrolled } = environment(folder)
  const restarted = startPackage(enrolled)
  await expect.poll(() => server.uploads.map(({ id }) => id).sort()).toEqual(runs.map(({ id }) => id).sort())
  expect(server.bodies).toHaveLength(3)
  expect(requests).toBe(3)
  await expect.poll(restarted.output).toContain('the agent is connected')
  expect([await restarted.end('SIGTERM'), server.releases.length]).toEqual([0, 1])
  expect(killed.output()).toContain('the agent is enrolled')
})

/** The folder of an agent that a test leaves for the next one. */
const used = newFolder()

test('a second process in the same folder, a wrong setting and a refusal end it with one line that says why', async () => {
  const first = start(environment(used))
  await expect.poll(first.output).toContain('the agent is connected')
  const second = start(environment(used))
  expect(await second.ended).toBe(1)
  expect(second.output()).toBe(`AGENT_DATA_DIR: another agent is running in ${used}\n`)

  const wrong = start({ ...environment(newFolder()), SOUNDLINE_URL: `${server.url}/path` })
  expect(await wrong.ended).toBe(1)
  expect(wrong.output()).toMatch(/^SOUNDLINE_URL: must be the address of the installation without a path.*\n$/)

  server.answer = () => refusal(403, 'agent_revoked', 'The agent was revoked.')
  expect(await first.ended).toBe(REFUSED_EXIT_CODE)
  expect(first.output()).toContain('The server refuses this agent: The agent was revoked. (agent_revoked)\n')
  const unit = readFileSync(join(ROOT, 'server/deploy/systemd/soundline-agent.service'), 'utf8')
  expect(unit).toContain(`RestartPreventExitStatus=${REFUSED_EXIT_CODE}\n`)
  server.answer = () => undefined
})

test('root does not start the agent of another user, who could not start it afterwards', async () => {
  // Only root can give a folder away. The agent of the user itself starts again.
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['-R', '54321:54321', used])
  const second = start(environment(used))
  const says = isRoot
    ? `AGENT_DATA_DIR: ${used} belongs to the user with uid 54321: start as that user, or set AGENT_DATA_DIR to another folder`
    : 'the agent is connected'
  await expect.poll(second.output).toMatch(/is connected|AGENT_DATA_DIR: /)
  expect(await second.end('SIGTERM')).toBe(isRoot ? 1 : 0)
  expect(second.output()).toContain(says)
  const owners = new Set(readdirSync(used).map((name) => statSync(join(used, name)).uid))
  expect([...owners]).toEqual([isRoot ? 54_321 : process.getuid?.()])
})
