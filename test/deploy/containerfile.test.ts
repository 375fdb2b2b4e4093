import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, chown, cp, lstat, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { testDatabase } from '#test/support/database.ts'
import { readDeployFile } from '#test/support/deployment.ts'
import { testFolder } from '#test/support/folder.ts'
import { TEST_SECRET_KEYS } from '#test/support/runs/worker-processes.ts'

// The image cannot be built here. Its steps are read, and its files are put into a clean folder, where the programs start as
// an unprivileged user.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const database = testDatabase()
const folder = join(testFolder(), 'image')
const USER = 10_001
const instructions = DockerfileParser.parse(readDeployFile('Containerfile')).getInstructions()
const stages = splitStages(instructions)
const [build = [], run = []] = stages

function splitStages(all: Instruction[]): Instruction[][] {
  const starts = all.flatMap((instruction, i) => (instruction.getKeyword() === 'FROM' ? [i] : []))
  return starts.map((start, i) => all.slice(start, starts[i + 1]))
}

/** Returns the environment of the image, with its folder of data elsewhere. */
function imageEnvironment(data: string): NodeJS.ProcessEnv {
  const pairs = argumentsOf(run, 'ENV')
    .flat()
    .map((pair) => pair.split('=') as [string, string])
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, value === '/data' ? data : value]),
  ) as unknown as NodeJS.ProcessEnv
}

const argumentsOf = (stage: Instruction[], keyword: string) =>
  stage
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getArguments().map((argument) => argument.getValue()))

/** Returns the sources of `COPY`, without options and destination. */
const copied = (stage: Instruction[]) =>
  argumentsOf(stage, 'COPY').flatMap((parts) => parts.filter((part) => !part.startsWith('--')).slice(0, -1))

describe('the Containerfile', () => {
  test('has a stage that builds and a stage that runs, on the same version of Node', () => {
    expect(stages).toHaveLength(2)
    const [from, to] = stages.map((stage) => argumentsOf(stage, 'FROM')[0]?.[0])
    expect(from).toBe(to)
    expect(from).toMatch(/^docker\.io\/library\/node:24-/)
  })

  test('copies files of the project, and into the image only what the first stage has', async () => {
    for (const source of copied(build)) await lstat(join(ROOT, source))
    const produced = ['node_modules', '.next']
    for (const source of copied(run)) {
      const name = source.replace(/^\/soundline\//, '')
      expect([...copied(build), ...produced]).toContain(name)
    }
    expect(copied(build)).not.toContain('.')
  })

  test('runs scripts that the project has', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const commands = argumentsOf(build, 'RUN').map((parts) => parts.join(' '))
    expect(commands.filter((command) => command.startsWith('npm ci'))).toHaveLength(1)
    for (const [, name] of commands.join('\n').matchAll(/npm run (\S+)/g))
      expect(scripts).toHaveProperty(name as string)
  })

  test('runs as a numbered user without privileges, who owns only the data', () => {
    expect(argumentsOf(run, 'USER')).toEqual([[`${USER}:${USER}`]])
    expect(argumentsOf(run, 'VOLUME')).toEqual([['/data']])
    const order = run.map((instruction) => instruction.getKeyword())
    expect(order.indexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'))
    for (const parts of argumentsOf(run, 'COPY')) expect(parts.filter((part) => part.startsWith('--chown'))).toEqual([])
  })
})

describe('the image', () => {
  const children: ReturnType<typeof spawn>[] = []
  const isRoot = process.getuid?.() === 0
  const data = join(dirname(folder), 'data')

  beforeAll(async () => {
    await mkdir(folder, { recursive: true })
    for (const source of copied(run)) {
      const name = source.replace(/^\/soundline\//, '')
      if (name === '.next') continue
      // The packages of the project, without a second installation.
      if (name === 'node_modules') await symlink(join(ROOT, name), join(folder, name))
      else await cp(join(ROOT, name), join(folder, name), { recursive: true })
    }
    await mkdir(data)
    if (isRoot) await chown(data, USER, USER)
    await readOnly(folder)
    await Promise.all([chmod(dirname(folder), 0o755), chmod(folder, 0o555)])
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await chmod(folder, 0o755)
  })

  async function readOnly(directory: string): Promise<void> {
    for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
      if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o555)
    }
  }

  /** Starts a program as the image does: its entry point with a command. */
  function start(command: string, environment: Record<string, string> = {}) {
    const [entry = []] = run
      .filter((part) => part.getKeyword() === 'ENTRYPOINT')
      .map((part) => JSON.parse(part.getArgumentsContent() ?? ''))
    const child = spawn(process.execPath, [...entry.slice(1), command], {
      cwd: folder,
      ...(isRoot && { uid: USER, gid: USER }),
      env: {
        ...imageEnvironment(data),
        DATABASE_URL: database.url,
        SECRET_KEYS: TEST_SECRET_KEYS,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = once(child, 'exit').then(([code]) => code as number | null)
    return { child, ended, output: () => output }
  }

  test('migrates, from a folder that it cannot write to', async () => {
    const { ended, output } = start('server/commands/migrate.ts')
    expect([await ended, output()]).toEqual([0, expect.any(String)])
  })

  test('runs a worker, which ends cleanly', async () => {
    const { child, ended, output } = start('worker/main.ts', { WORKER_HEALTH_PORT: '0' })
    await vi.waitUntil(() => output().includes('the worker is ready') || child.exitCode !== null, { timeout: 120_000 })
    expect(output()).toContain('the worker is ready')
    child.kill('SIGTERM')
    expect([await ended, output()]).toEqual([0, expect.any(String)])
  })

  test('runs the program of remote agents and of web, which say what they need', async () => {
    const agent = start('worker/agent/main.ts')
    expect(await agent.ended).toBe(1)
    expect(agent.output()).toContain('SOUNDLINE_URL: must be set')
    const web = start('server/commands/web.ts')
    expect(await web.ended).toBe(1)
    expect(web.output()).toContain('The dashboard is not built')
  })
})
