import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { listProcesses, processTree, waitUntilEnded } from '#test/support/processes/processes.ts'

// No process is left when the process that started it is killed.

const module = (text: string) => {
  const file = join(mkdtempSync(join(tmpdir(), 'soundline-orphans-')), 'program.mjs')
  writeFileSync(file, text.replaceAll('#', ROOT))
  return file
}

test('when a process is killed, its children and their children end too, even when they ignore signals', async () => {
  const starter = spawn(
    process.execPath,
    [
      module(`
        import { spawn } from 'node:child_process'
        import { armDeadMansSwitch } from '#/db/embedded/dead-mans-switch.ts'
        const script = 'trap "" INT TERM; sleep 1000 & wait; sleep 1000'
        const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' })
        armDeadMansSwitch(-child.pid, [['INT', 1], ['KILL', 0]])
        console.log(child.pid)
        setInterval(() => {}, 1_000)`),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [pid] = await once(starter.stdout, 'data')
  const left = processTree(Number(pid))
  expect(left.length).toBeGreaterThan(0)
  starter.kill('SIGKILL')
  await waitUntilEnded(left)
})

test.each([
  ['whose channel closed before it listened', [], true],
  ['whose npm was killed before it checked', ['--under', '1234567'], false],
])('a program %s exits at once', async (_, args, hasChannel) => {
  const program = module(`
    import { setTimeout as sleep } from 'node:timers/promises'
    await sleep(process.connected ? 500 : 0)
    const { runProgram } = await import('#/server/process/lifecycle.ts')
    await runProgram(async () => {
      setInterval(() => {}, 1_000)
    })`)
  const child = hasChannel
    ? fork(program, args, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    : spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (hasChannel) child.disconnect()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  expect(listProcesses().some(({ pid }) => pid === child.pid)).toBe(false)
})
