import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

// PostgreSQL refuses to run as root. Started by root (the usual case in a container), it runs as a user of its own.

const NAME = 'postgres'

/** How to run one of PostgreSQL's programs: directly, or as the database's user. */
export type RunAs = {
  uid?: number
  gid?: number
  /** A program and arguments to put in front of the command. */
  prefix: string[]
}

/**
 * Who runs the database whose cluster is in `directory`, which is made theirs. The folders above it and the program may
 * be closed to them (a folder in /root, one made by mktemp): then they are given root's right to pass, and no more.
 * @throws Error that says what to change, when there is no way
 */
export function databaseUser(directory: string, program: string): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const { uid, gid } = findUser() ?? makeUser() ?? findUser('nobody') ?? fail(directory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chownSync(directory, uid, gid)
  const direct: RunAs = { uid, gid, prefix: [] }
  if (canAccess(direct, directory, program)) return direct
  const capable: RunAs = {
    prefix: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--',
    ],
  }
  return canAccess(capable, directory, program) ? capable : fail(directory)
}

/** The command line and options that run `program` as `user`. */
export function commandAs(user: RunAs, program: string, args: string[]) {
  const [command = program, ...rest] = [...user.prefix, program, ...args]
  // Its own working directory, because ours may be one it cannot enter.
  return { command, args: rest, options: { uid: user.uid, gid: user.gid, cwd: '/' } }
}

function canAccess(user: RunAs, directory: string, program: string): boolean {
  return [commandAs(user, '/bin/sh', ['-c', 'cd "$0"', directory]), commandAs(user, program, ['--version'])].every(
    ({ command, args, options }) => spawnSync(command, args, { ...options, stdio: 'ignore' }).status === 0,
  )
}

function findUser(name = NAME): { uid: number; gid: number } | null {
  try {
    const read = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: read('-u'), gid: read('-g') }
  } catch {
    return null
  }
}

function makeUser(): { uid: number; gid: number } | null {
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', NAME], { stdio: 'ignore' })
  return made.status === 0 ? findUser() : null
}

function fail(directory: string): never {
  throw new Error(
    `PostgreSQL does not run as root, and the user "${NAME}" may not enter ${dirname(directory)}: ` +
      'start as another user, use a folder that everyone may enter, or set DATABASE_URL',
  )
}
