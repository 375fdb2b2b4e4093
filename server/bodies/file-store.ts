import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate as isUuid } from 'uuid'
import type { BodyStore } from './body-store.ts'

/** Bodies can contain confidential data: only the user of the process may read them. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Opens a store of files under the folder of a `file:` URL. */
export function fileStore(url: string): BodyStore {
  const root = fileURLToPath(url)

  const write = async (key: string, size: number, content: () => Buffer | AsyncIterable<Buffer>) => {
    const path = pathOfKey(root, key)
    if (path === null) throw new Error('The key is outside the body store')
    // The name is the digest of the content, so an existing file has the same content.
    if ((await stat(path).catch(() => null))?.size === size) return
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    const temporary = `${path}.${randomUUID()}`
    try {
      await writeFile(temporary, content(), { mode: FILE_MODE })
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  return {
    // Node's pool of four threads serves all file and DNS operations of the process: one stays free.
    readPermits: 3,

    put: (key, bytes) => write(key, bytes.length, () => bytes),
    putStream: (key, { bytes, pieces }) => write(key, bytes, pieces),

    async read(key, maxBytes) {
      const path = pathOfKey(root, key)
      if (path === null) return 'gone'
      try {
        // A symbolic link inside the store can lead outside.
        if (!isWithin(await realpath(root), await realpath(path))) return 'gone'
        // O_NONBLOCK: do not wait for a writer if the object is a pipe.
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
      // The root first: its mode is enough to keep other users out.
      await chmod(root, FOLDER_MODE)
      // The folder can contain files of other programs.
      const organizations = (await names(root)).filter((name) => isUuid(name))
      for (const organization of organizations) await protectTree(join(root, organization))
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

/** Children before their folder, so that the content of a folder with the right mode need not be checked. */
async function protectTree(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  const isFolder = found?.isDirectory() ?? false
  const mode = isFolder ? FOLDER_MODE : FILE_MODE
  // Do not follow symbolic links.
  if (!found || !(isFolder || found.isFile()) || (found.mode & 0o777) === mode) return
  if (isFolder) for (const name of await names(path)) await protectTree(join(path, name))
  await chmod(path, mode).catch((error) => {
    if (!isAbsence(error)) throw error
  })
}

/** Returns the path of a key, or null when it is not a key of `bodyKey`: those are plain names between slashes. */
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
