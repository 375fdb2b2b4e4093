import { readFile } from 'node:fs/promises'

/** Clock ticks per second of /proc, which Linux fixes at 100 for programs. */
const TICKS_PER_SECOND = 100

/** The CPU time that a process has used so far in all of its threads, in seconds. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  return (await readTicks(pid)).own / TICKS_PER_SECOND
}

/** The same of a process and its children, the ended ones included: of PostgreSQL with all its backends. */
export async function cpuSecondsOfFamily(pid: number): Promise<number> {
  const { own, endedChildren } = await readTicks(pid)
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  // A child that ends between the two readings is counted next time.
  const running = await Promise.all(children.map((child) => readTicks(child).catch(() => ({ own: 0 }))))
  return (own + endedChildren + running.reduce((sum, child) => sum + child.own, 0)) / TICKS_PER_SECOND
}

async function readTicks(pid: number | string): Promise<{ own: number; endedChildren: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program stands in brackets and may contain spaces.
  const [user, system, childUser, childSystem] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number) as [number, number, number, number]
  return { own: user + system, endedChildren: childUser + childSystem }
}
