import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate as isUuid } from 'uuid'
import type { BodyStore } from './body-store.ts'

/** Bodies may hold anything that a target answers: they are for this user alone. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Bodies as files under the folder of a `file:` URL. */
export function fileStore(url: string): BodyStore {
  const root = fileURLToPath(url)

  return {
    // Node's pool of four threads serves every file and name of the process: one is left to it.
    readSlots: 3,

    async put(key, bytes) {
      const path = pathOfKey(root, key)
      if (path === null) throw new Error('The key leads out of the body store')
      // The name is the content's digest: what is there already is the same.
      if ((await stat(path).catch(() => null))?.size === bytes.length) return
      await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
      const temporary = `${path}.${randomUUID()}`
      await writeFile(temporary, bytes, { mode: FILE_MODE })
      await rename(temporary, path)
    },

    async read(key, maxBytes) {
      const path = pathOfKey(root, key)
      if (path === null) return 'gone'
      try {
        // A link inside the store may lead out of it.
        if (!isWithin(await realpath(root), await realpath(path))) return 'gone'
        // Not to wait for a writer, should the object be a pipe.
        await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
        const found = await file.stat()
        if (!found.isFile()) return 'gone'
        return found.size > maxBytes ? 'too_large' : await file.readFile()
      } catch (error) {
        if (isAbsence(error)) return 'gone'
        throw error
      }
    },

    async protect() {
      if ((await stat(root).catch(() => null)) === null) return
      // First of all, and enough by itself to keep others out of what lies beneath.
      await chmod(root, FOLDER_MODE)
      // The folder may have been there before, with files of others in it.
      const organizations = (await names(root)).filter((name) => isUuid(name))
      for (const organization of organizations) await protectBeneath(join(root, organization))
    },

    async removeBefore(day) {
      for (const organization of await names(root)) {
        const folder = join(root, organization)
        for (const name of await names(folder)) {
          if (/^\d{4}-\d{2}-\d{2}$/.test(name) && name < day)
            await rm(join(folder, name), { recursive: true, force: true })
        }
      }
    },

    async removeService(organizationId, serviceId) {
      const folder = pathOfKey(root, organizationId)
      if (folder === null || pathOfKey(root, serviceId) === null) return
      for (const day of await names(folder)) await rm(join(folder, day, serviceId), { recursive: true, force: true })
    },
  }
}

/** Children before their folder: one that is as it should be has everything in it so, and is not looked into. */
async function protectBeneath(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  const isFolder = found?.isDirectory() ?? false
  const mode = isFolder ? FOLDER_MODE : FILE_MODE
  // What a link leads to is none of ours.
  if (!found || !(isFolder || found.isFile()) || (found.mode & 0o777) === mode) return
  if (isFolder) for (const name of await names(path)) await protectBeneath(join(path, name))
  await chmod(path, mode).catch((error) => {
    if (!isAbsence(error)) throw error
  })
}

/** The path of a key, or null when the key is none of ours: ours are plain names between slashes. */
function pathOfKey(root: string, key: string): string | null {
  const parts = key.split('/')
  return parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part)) ? join(root, ...parts) : null
}

function isWithin(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep)
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}

function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO', 'ENAMETOOLONG'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )
}
