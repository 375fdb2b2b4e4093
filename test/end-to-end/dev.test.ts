import { appendFileSync, cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { testFolder } from '#test/support/folder.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { startProgram } from '#test/support/processes/program.ts'

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
  await running.waitForOutput(new RegExp(`http://127\\.0\\.0\\.1:${port}/setup#[\\w-]{43}`))

  // Neither process can load its sources.
  append('server/commands/web.ts', 'half written (')
  await running.waitForOutput(/"file":"server\/commands\/web\.ts"/)
  append('worker/main.ts', 'half written (')
  await running.waitForOutput(/"file":"worker\/main\.ts"/)
  await running.waitForOutput(/worker\/main\.ts:\d+\n(.*\n)?half written/)

  // Both start again as soon as their sources are right, with all that has changed.
  append('db/client.ts', "console.log('db changed in', process.argv[1])")
  await running.waitForOutput(/"file":"db\/client\.ts"/)
  for (const file of ['worker/main.ts', 'server/commands/web.ts']) cpSync(join(ROOT, file), join(project, file))
  await running.waitForOutput(/db changed in \S*web\.ts/)
  await running.waitForOutput(/db changed in \S*worker\/main\.ts/)
  const ready = () => running.output().match(/web is ready/g)?.length
  await vi.waitFor(() => expect(ready()).toBeGreaterThanOrEqual(2), 300_000)
  expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
  expect(await running.stop()).toBe(0)
})

function append(file: string, line: string): void {
  appendFileSync(join(project, file), `${line}\n`)
}
