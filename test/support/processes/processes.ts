import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export type Process = { pid: number; parent: number; command: string }

/** Returns all visible processes of the machine, except zombies. */
export function listProcesses(): Process[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

/** Returns a process and all its descendants. */
export function processTree(pid: number): Process[] {
  const all = listProcesses()
  const found = all.filter((candidate) => candidate.pid === pid)
  for (const member of found) found.push(...all.filter((candidate) => candidate.parent === member.pid))
  return found
}

/** Waits until all of these processes have ended. @throws Error with the remaining processes */
export async function waitUntilEnded(family: Process[], limitMs = 60_000): Promise<void> {
  const remaining = () => {
    const now = listProcesses()
    return family.filter((then) => now.some(({ pid, command }) => pid === then.pid && command === then.command))
  }
  for (const until = Date.now() + limitMs; Date.now() < until; await sleep(100)) if (remaining().length === 0) return
  throw new Error(`Still running: ${JSON.stringify(remaining(), null, 1)}`)
}

// Small Linux images have no `ps`.
function fromProc(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      // The second field is the name in parentheses, which may contain any character.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return command === '' ? [] : [{ pid: Number(name), parent: Number(fields[1]), command }]
    } catch {
      return []
    }
  })
}

function fromPs(): Process[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 })
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid && command && !command.startsWith('(') ? [{ pid: Number(pid), parent: Number(parent), command }] : []
  })
}
