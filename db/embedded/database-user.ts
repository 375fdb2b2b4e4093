import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

// PostgreSQL refuses to run as root. When root starts the program (usual in a container), it runs as another user.

const NAME = 'postgres'

/** How to run PostgreSQL's programs: directly, or as the database's user. */
export type RunAs = {
  uid?: number
  gid?: number
  /** A program with arguments that is put in front of the command. */
  prefix: string[]
}

/**
 * Returns the user that runs the database, and makes it the owner of the cluster's `directory`. If this user cannot
 * access the program or the folders above `directory` (in /root, or created by mktemp), it gets root's permission to
 * read and pass through them, and no other.
 * @throws Error when no user can run the database; the message names the remedies
 */
export function databaseUser(directory: string, program: string): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const { uid, gid } = findUser() ?? createUser() ?? findUser('nobody') ?? fail(directory)
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

/** Returns the command line and the options that run `program` as `user`. */
export function commandAs(user: RunAs, program: string, args: string[]) {
  const [command = program, ...rest] = [...user.prefix, program, ...args]
  // The user may have no access to the current working directory.
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

function createUser(): { uid: number; gid: number } | null {
  const created = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', NAME], { stdio: 'ignore' })
  return created.status === 0 ? findUser() : null
}

function fail(directory: string): never {
  throw new Error(
    `PostgreSQL does not run as root, and the user "${NAME}" has no access to ${dirname(directory)}: ` +
      'start as another user, use a folder that all users can access, or set DATABASE_URL',
  )
}
