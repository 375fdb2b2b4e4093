import { appendFileSync, cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { testDatabase } from '#test/support/database.ts'
import { testFolder } from '#test/support/folder.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { waitUntilEnded } from '#test/support/processes/processes.ts'
import { findProcess, kill, startProgram } from '#test/support/processes/program.ts'
import { TEST_SECRET_KEYS } from '#test/support/runs/worker-processes.ts'

// `npm run dev` in a copy of the project whose sources change while it runs, and whose start process is killed at last.

const database = testDatabase()
const project = testFolder()

beforeAll(() => {
  const files = ['package.json', 'tsconfig.json', 'next.config.mjs', 'README.md', 'app', 'server', 'worker', 'db']
  for (const file of files) cpSync(join(ROOT, file), join(project, file), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'))
})

test('npm run dev restarts web and worker with what changed under server, worker and db, and leaves neither behind', async () => {
  const port = await freePort()
  const running = startProgram(
    'dev',
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      SECRET_KEYS: TEST_SECRET_KEYS,
      DATA_DIR: join(project, '.data'),
    },
    { npm: true, root: project },
  )
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

  // A child of a killed start ends, or is killed when it cannot.
  const family = running.processTree()
  process.kill(findProcess(family, 'worker/main.ts').pid, 'SIGSTOP')
  kill(findProcess(family, 'start.ts --under').pid)
  await waitUntilEnded(family)
})

function append(file: string, line: string): void {
  appendFileSync(join(project, file), `${line}\n`)
}
