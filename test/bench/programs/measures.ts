import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

/** Returns the resident memory of the processes. */
export async function residentMb(processes: ChildProcess[]): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', processes.map(({ pid }) => pid).join(',')])
  return (
    stdout
      .trim()
      .split('\n')
      .reduce((sum, line) => sum + Number(line), 0) *
    (1_024 / 1e6)
  )
}

/** Returns how many statements the processes of programs/front.ts have sent, without the checks of their connections. */
export async function countStatements(processes: ChildProcess[]): Promise<number> {
  const counts = await Promise.all(
    processes.map(async (process) => {
      const answer = once(process, 'message') as Promise<[{ count: number }]>
      process.send('statements')
      return (await answer)[0].count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
