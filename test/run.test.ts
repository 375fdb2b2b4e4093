import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { testFolder } from '#test/support/folder.ts'

// The contributor's commands, run by npm in a project that has their files and three small tests of its own.

const project = testFolder()
const PASSES = "import { expect, test } from 'vitest'\n\ntest('passes', () => expect(1).toBe(1))\n"
const FAILS = PASSES.replace('toBe(1)', 'toBe(2)')

beforeAll(() => {
  for (const file of ['package.json', 'tsconfig.json', 'biome.json', '.gitignore', 'test/run.ts']) copy(file)
  copy('server/process/program.ts')
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'))
  write(
    'test/vitest.config.ts',
    "export default { test: { reporters: ['default', ['json', { outputFile: '.test/vitest.json' }]] } }\n",
  )
  // Instead of the types of the API, which need the program.
  write('server/commands/write-client.ts', 'export {}\n')
  write('test/rules/rule.test.ts', PASSES)
  write('test/lace/one.test.ts', PASSES)
  write('test/lace/two.test.ts', FAILS)
})

describe('npm test -- PATH', () => {
  test('runs one folder, neither builds nor checks, and fails when one of its tests fails', async () => {
    const { code, lines } = await npm('test', '--', 'test/lace')
    expect([code, lines.at(-1)]).toEqual([1, '1 passed, 1 failed'])
    expect(lines.filter((line) => /^(tests|build|types|style|conformance): /.test(line))).toHaveLength(1)
  })

  test('fails when there is no such test', async () => {
    const { code, lines } = await npm('test', '--', 'test/missing')
    expect([code, lines.at(-1)]).toEqual([1, '0 passed, 1 failed'])
  })
})

describe('npm run check', () => {
  test('passes where types, style and rules are right, whatever other tests do', async () => {
    const { code, lines } = await npm('run', 'check')
    expect([code, lines.at(-1)]).toEqual([0, '1 passed, 0 failed'])
  })

  test.each([
    ['a type', "export const count: number = 'one'\n", /TS2322/],
    ['style', 'export const count = 1;\n', /db\/clock\.ts format/],
  ])('fails when %s is wrong', async (_, text, reason) => {
    write('db/clock.ts', text)
    const { code, lines } = await npm('run', 'check')
    write('db/clock.ts', 'export const count = 1\n')
    expect(code).toBe(1)
    expect(lines.join('\n')).toMatch(reason)
  })
})

function copy(file: string): void {
  cpSync(join(ROOT, file), join(project, file))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true })
  writeFileSync(join(project, file), text)
}

/** Runs npm in the project. Returns its exit code and the lines of both streams, without colours. */
async function npm(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' }
  // What vitest and an outer npm tell their own children.
  for (const name of Object.keys(env)) if (/^(VITEST.*|npm_.*|FORCE_COLOR)$/.test(name)) delete env[name]
  const { code, stdout, stderr } = await promisify(execFile)('npm', args, { cwd: project, env }).then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code, lines: `${stderr}${stdout}`.trimEnd().split('\n') }
}
