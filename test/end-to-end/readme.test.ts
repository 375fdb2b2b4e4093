import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { freePort } from '#test/support/processes/ports.ts'
import { projectFile, startProgram } from '#test/support/processes/program.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'

vi.setConfig({ testTimeout: 600_000 })

const readme = readFileSync(projectFile('README.md'), 'utf8')

test('the first probe of the README by curl works as written', async () => {
  const target = await startHttpTarget((_request, response) => response.end('fine'))
  const folder = mkdtempSync(join(tmpdir(), 'soundline-readme-'))
  const port = await freePort()
  const program = startProgram('start', {
    ...settingsInReadme(),
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
  try {
    await program.waitForOutput('the dashboard is at')
    // Only the addresses change: to this installation, and to a target on this machine.
    const script = blockAfter('<!-- A test runs this block unchanged. -->')
      .replace('BASE=http://localhost:3000', `BASE=http://localhost:${port}`)
      .replace('TARGET=https://example.com/', `TARGET=${target.url}/`)
    expect(script).toContain(`localhost:${port}`)
    expect(script).toContain(`${target.url}/`)
    const ids: string[] = []
    // The second time everything exists already.
    for (let time = 1; time <= 2; time++) {
      const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', script], {
        cwd: folder,
        timeout: 120_000,
      })
      expect(stderr).toBe('')
      const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
      expect(result).toMatchObject({
        status: 'success',
        steps: [{ statusCode: 200, assertionResults: [{ method: 'expect', outcome: 'passed' }] }],
      })
      ids.push(result.id)
    }
    expect(new Set(ids).size).toBe(2)
    expect(await program.stop()).toBe(0)
    expect(program.output()).not.toContain('"level":"warn"')
    const names = [...program.output().matchAll(/"process":"(\w+)"/g)].map(([, name]) => name)
    expect(new Set(names)).toEqual(new Set(['start', 'web', 'worker']))
  } finally {
    await target.close()
  }
})

/** `NAME=value` before `npm start` in the section. */
function settingsInReadme(): Record<string, string> {
  const line = /^(SETUP_.*) npm start$/m.exec(readme)?.[1] ?? ''
  return Object.fromEntries(
    [...line.matchAll(/([A-Z_]+)=(?:'([^']*)'|(\S+))/g)].map(([, name, quoted, plain]) => [name, quoted ?? plain]),
  )
}

function blockAfter(mark: string): string {
  const rest = readme.slice(readme.indexOf(mark))
  const block = /```sh\n([\s\S]*?)```/.exec(rest)?.[1]
  if (!readme.includes(mark) || !block) throw new Error(`The README has no block after ${mark}`)
  return block
}
