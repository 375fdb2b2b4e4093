import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { testFolder } from '#test/support/folder.ts'
import { processTree, waitUntilEnded } from '#test/support/processes/processes.ts'

const folder = testFolder()

test('a second signal does not wait for running work, and ends the child that does it', async () => {
  const [program, child] = [join(folder, 'program.mjs'), join(folder, 'child.mjs')]
  writeFileSync(
    child,
    "process.on('SIGTERM', () => {})\nprocess.send({ type: 'ready' })\nsetInterval(() => {}, 1_000)\n",
  )
  writeFileSync(
    program,
    `const { runProgram } = await import('${ROOT}/server/process/lifecycle.ts')
    const { supervise } = await import('${ROOT}/server/process/supervise.ts')
    await runProgram(async (stops) => {
      const work = supervise('work', ${JSON.stringify(child)}, [])
      stops.defer(work.stop)
      stops.defer(() => console.log('stopping'))
      work.start(process.env)
      await work.ready
      console.log('ready')
    })`,
  )
  const started = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = new Promise((resolve) => started.once('exit', resolve))
  await expect.poll(() => output).toContain('ready')
  const family = processTree(started.pid as number)
  expect(family.some(({ command }) => command.includes(child))).toBe(true)
  // A Ctrl-C arrives twice: from the terminal and from npm.
  started.kill('SIGINT')
  started.kill('SIGINT')
  await expect.poll(() => output).toContain('stopping')
  // A later signal does not belong to it.
  await sleep(1_100)
  expect(started.exitCode).toBeNull()
  started.kill('SIGTERM')
  expect(await ended).toBe(1)
  await waitUntilEnded(family)
})
