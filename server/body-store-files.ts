import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BodyStore } from './body-store.ts'

/** Bodies as files under the folder of a `file:` URL. */
export function fileStore(url: string): BodyStore {
  const root = fileURLToPath(url)

  return {
    // Node's pool of four threads serves every file and name of the process: one is left to it.
    readSlots: 3,

    async put(key, bytes) {
      const path = locate(root, key)
      if (path === null) throw new Error('The key leads out of the body store')
      // The name is the content's digest: what is there already is the same.
      if ((await stat(path).catch(() => null))?.size === bytes.length) return
      await mkdir(dirname(path), { recursive: true })
      const temporary = `${path}.${randomUUID()}`
      await writeFile(temporary, bytes)
      await rename(temporary, path)
    },

    async read(key, maxBytes) {
      const path = locate(root, key)
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
      const folder = locate(root, organizationId)
      if (folder === null || locate(root, serviceId) === null) return
      for (const day of await names(folder)) await rm(join(folder, day, serviceId), { recursive: true, force: true })
    },
  }
}

/** The path of a key, or null when the key is none of ours: ours are plain names between slashes. */
function locate(root: string, key: string): string | null {
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
