import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux has a file system in memory. */
const IN_MEMORY = '/dev/shm'
/** The type of such a file system, by `statfs`. */
const TMPFS = 0x01021994
/** A run writes less than half of it. */
const NEEDED_BYTES = 4 * 1024 ** 3

const PREFIX = 'soundline-test-'

/**
 * Creates the folder for everything that a test run writes, in memory where there is enough of it. A run creates and
 * drops some 150 databases of a thousand files each, and on ext4 each new file searches past all that were deleted in the
 * last minutes, which took a quarter of the processor time late in a run.
 */
export async function createRunFolder(): Promise<string> {
  const isInMemory = await isRoomy(IN_MEMORY)
  if (isInMemory) await removeLeftovers()
  const folder = await mkdtemp(join(isInMemory ? IN_MEMORY : tmpdir(), `${PREFIX}${process.pid}-`))
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755)
  return folder
}

async function isRoomy(place: string): Promise<boolean> {
  if (!existsSync(place)) return false
  const { type, bavail, bsize } = await statfs(place)
  return type === TMPFS && bavail * bsize >= NEEDED_BYTES
}

/** Removes the folders of killed runs, which would occupy memory until the machine restarts. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(IN_MEMORY)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
    if (pid && !existsSync(join('/proc', pid))) await rm(join(IN_MEMORY, name), { recursive: true, force: true })
  }
}
