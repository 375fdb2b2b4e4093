import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, statSync } from 'node:fs'
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
 * Returns the user that runs the database: the owner of the cluster's `directory`, which is created for the database's
 * user if it does not exist. If this user cannot access the program or the folders above `directory` (in /root, or created
 * by mktemp), it gets root's permission to access all files, and no other.
 * @throws Error when no user can run the database; the message names the remedies
 */
export function databaseUser(directory: string, program: string): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const { uid, gid } = ownerOf(directory) ?? createFolder(directory)
  if (uid === 0) {
    throw new Error(
      `${directory} belongs to root, and PostgreSQL does not run as root: give it to another user, ` +
        `such as \`chown -R ${NAME} ${directory}\``,
    )
  }
  const direct: RunAs = { uid, gid, prefix: [] }
  if (findBlocked(direct, directory, program) === null) return direct
  const capable: RunAs = {
    prefix: [
      'setpriv',
      // Without it access(2), with which PostgreSQL's programs look for each other, ignores the capability.
      '--securebits=+no_setuid_fixup',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--',
    ],
  }
  const blocked = findBlocked(capable, directory, program)
  return blocked === null ? capable : fail(blocked, uid)
}

/** Returns the command line and the options that run `program` as `user`. */
export function commandAs(user: RunAs, program: string, args: string[]) {
  const [command = program, ...rest] = [...user.prefix, program, ...args]
  // The user may have no access to the current working directory.
  return { command, args: rest, options: { uid: user.uid, gid: user.gid, cwd: '/' } }
}

/** Returns the folder that `user` cannot access, of those that the database needs; null when there is none. */
function findBlocked(user: RunAs, directory: string, program: string): string | null {
  const succeeds = (run: string, args: string[]) => {
    const { command, args: all, options } = commandAs(user, run, args)
    return spawnSync(command, all, { ...options, stdio: 'ignore' }).status === 0
  }
  if (!succeeds('/bin/sh', ['-c', 'cd "$0"', directory])) return dirname(directory)
  return succeeds(program, ['--version']) ? null : dirname(program)
}

function ownerOf(directory: string): { uid: number; gid: number } | null {
  const found = statSync(directory, { throwIfNoEntry: false })
  // Its group may be root's, after a `chown` without a group.
  return found ? (findUser(String(found.uid)) ?? { uid: found.uid, gid: found.gid }) : null
}

function createFolder(directory: string): { uid: number; gid: number } {
  const user = findUser() ?? createUser() ?? findUser('nobody')
  if (!user) throw new Error(`PostgreSQL does not run as root, and there is no user "${NAME}": ${REMEDIES}`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chownSync(directory, user.uid, user.gid)
  return user
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

const REMEDIES = 'start as another user, use a folder that all users can access, or set DATABASE_URL'

function fail(blocked: string, uid: number): never {
  throw new Error(
    `PostgreSQL does not run as root, and the database's user (uid ${uid}) has no access to ${blocked}: ${REMEDIES}`,
  )
}
