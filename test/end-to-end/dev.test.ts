import { appendFileSync, cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { testFolder } from '#test/support/folder.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { type Program, startProgram } from '#test/support/processes/program.ts'

// `npm run dev` in a copy of the project whose sources change while it runs.

const project = testFolder()

beforeAll(() => {
  const files = ['package.json', 'tsconfig.json', 'next.config.mjs', 'README.md', 'app', 'server', 'worker', 'db']
  for (const file of files) cpSync(join(ROOT, file), join(project, file), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'))
})

test('npm run dev restarts web and worker with what changed under server, worker and db', async () => {
  const port = await freePort()
  const settings = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: join(project, '.data') }
  const running = startProgram('dev', settings, { npm: true, root: project })
  await running.waitForOutput('the dashboard is at')

  // Both processes load this file.
  say('db/client.ts', 'db changed in')
  await running.waitForOutput(/db changed in \S*web\.ts/)
  await running.waitForOutput(/db changed in \S*worker\/main\.ts/)
  await healthy(running, port, 2)

  say('server/commands/web.ts', 'server changed in')
  say('worker/main.ts', 'worker changed in')
  await running.waitForOutput(/server changed in \S*web\.ts/)
  await running.waitForOutput(/worker changed in \S*worker\/main\.ts/)
  await healthy(running, port, 3)

  // A process that cannot load its sources starts again as soon as they are right.
  appendFileSync(join(project, 'worker/main.ts'), 'throw new Error("half written")\n')
  await running.waitForOutput('half written')
  cpSync(join(ROOT, 'worker/main.ts'), join(project, 'worker/main.ts'))
  say('worker/main.ts', 'worker mended in')
  await running.waitForOutput(/worker mended in \S*worker\/main\.ts/)
  expect(await running.stop()).toBe(0)
})

/** Makes a source print where it is loaded. */
function say(file: string, text: string): void {
  appendFileSync(join(project, file), `console.log(${JSON.stringify(text)}, process.argv[1])\n`)
}

/** Waits until web was ready so many times, and serves. */
async function healthy(running: Program, port: number, starts: number): Promise<void> {
  const ready = () => running.output().match(/web is ready/g)?.length
  await vi.waitFor(() => expect(ready()).toBeGreaterThanOrEqual(starts), 300_000)
  expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
}
