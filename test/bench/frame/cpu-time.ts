import { readFile } from 'node:fs/promises'

/** Clock ticks per second of /proc, which Linux fixes at 100 for programs. */
const TICKS_PER_SECOND = 100

/** The CPU time that a process has used so far in all of its threads, in seconds. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program stands in brackets and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
