import { readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type BodyContent, BodyTooLarge, digestOf } from '#server/bodies/body-content.ts'
import { log } from '#server/process/log.ts'
import type { HeldRun } from '#server/schemas/agents/protocol.ts'
import { type SealedFile, seal, unseal } from './sealed.ts'

// The files of the spool, sealed and written atomically. Their content is not in memory as a whole, unless the caller has it
// there.

export type SpoolFile = { name: string; bytes: number; run: HeldRun /** Null for a body. */; sequence: number | null }

export type SpoolFolder = {
  /** Returns the files of a former process. */
  list: () => SpoolFile[]
  /**
   * Writes the file, or keeps it in memory while the disk refuses it: then the content is read once more. False when there
   * is too much in memory already. @throws BodyTooLarge, SpoolFull as the content does
   */
  write: (name: string, content: () => AsyncIterable<Buffer>) => Promise<boolean>
  /** Returns null when the file is missing or cannot be read. One that cannot be read is set aside. */
  read: (name: string) => Promise<Buffer | null>
  /** The same for a content that is not read at once. The caller must close it. */
  open: (name: string) => Promise<OpenContent | null>
  remove: (name: string) => Promise<void>
}

/** A content that was read once, so it is authentic. It stays readable when its file is removed. */
export type OpenContent = BodyContent & { close: () => Promise<void> }

/** The content does not fit into the spool. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull'
}

const RESULT = /^(\d{12})\.([0-9a-f-]{36})\.(\d{1,7})\.result$/
const BODY = /^([0-9a-f-]{36})\.(\d{1,7})\.\d{1,3}\.body$/
const UNFINISHED = '.new'
const SET_ASIDE = '.unreadable'
const SET_ASIDE_MS = 7 * 24 * 3_600_000
const MEMORY_MAX_BYTES = 32 * 1024 * 1024

export function resultName(run: HeldRun, sequence: number): string {
  return `${String(sequence).padStart(12, '0')}.${run.id}.${run.attempt}.result`
}

export function bodyName(run: HeldRun, call: number): string {
  return `${run.id}.${run.attempt}.${call}.body`
}

export async function openSpoolFolder(folder: string, key: Buffer): Promise<SpoolFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  /** Sealed files that the disk refused. */
  const unwritten = new Map<string, Buffer>()
  let unwrittenBytes = 0

  const openFile = async (name: string): Promise<SealedFile & { close: () => Promise<void> }> => {
    const kept = unwritten.get(name)
    if (!kept) return readable(await open(join(folder, name)))
    return { size: kept.length, read: async (at, length) => kept.subarray(at, at + length), close: async () => {} }
  }

  const attempt = async <T>(name: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      log.error({ err: error, file: name }, 'a file of the spool cannot be read, and is set aside')
      await rename(join(folder, name), join(folder, `${name}${SET_ASIDE}`)).catch(() => {})
      return null
    }
  }

  const keepInMemory = async (name: string, sealed: AsyncIterable<Buffer>): Promise<boolean> => {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of sealed) {
      bytes += part.length
      if (unwrittenBytes + bytes > MEMORY_MAX_BYTES) return false
      parts.push(part)
    }
    unwritten.set(name, Buffer.concat(parts))
    unwrittenBytes += bytes
    return true
  }

  return {
    list() {
      const names = readdirSync(folder)
      for (const name of names) if (isLeftover(folder, name)) rmSync(join(folder, name), { force: true })
      return names.flatMap((name) => describe(folder, name) ?? [])
    },
    async write(name, content) {
      try {
        await writeAtomically(join(folder, name), seal(key, name, content()))
        return true
      } catch (error) {
        if (error instanceof BodyTooLarge || error instanceof SpoolFull) throw error
        if (!(await keepInMemory(name, seal(key, name, content())))) return false
        log.error({ err: error, file: name }, 'the spool cannot be written; the file is kept in memory')
        return true
      }
    },
    read: (name) =>
      attempt(name, async () => {
        const file = await openFile(name)
        try {
          return await buffer(unseal(key, name, file))
        } finally {
          await file.close()
        }
      }),
    open: (name) =>
      attempt(name, async () => {
        const file = await openFile(name)
        try {
          const content = await digestOf(unseal(key, name, file))
          return { ...content, pieces: () => unseal(key, name, file), close: file.close }
        } catch (error) {
          await file.close()
          throw error
        }
      }),
    async remove(name) {
      unwrittenBytes -= unwritten.get(name)?.length ?? 0
      if (!unwritten.delete(name)) await rm(join(folder, name), { force: true })
    },
  }
}

async function readable(file: FileHandle) {
  const { size } = await file.stat()
  return {
    size,
    read: async (at: number, length: number) => {
      const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
      return bytes.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}

function describe(folder: string, name: string): SpoolFile | null {
  const [, sequence, ofResult, resultAttempt] = RESULT.exec(name) ?? []
  const [, ofBody, bodyAttempt] = BODY.exec(name) ?? []
  const id = ofResult ?? ofBody
  if (!id) return null
  return {
    name,
    bytes: statSync(join(folder, name)).size,
    run: { id, attempt: Number(resultAttempt ?? bodyAttempt) },
    sequence: sequence === undefined ? null : Number(sequence),
  }
}

function isLeftover(folder: string, name: string): boolean {
  if (name.endsWith(UNFINISHED)) return true
  return name.endsWith(SET_ASIDE) && Date.now() - statSync(join(folder, name)).mtimeMs > SET_ASIDE_MS
}

/** After a loss of power, the file is whole or missing. After an error, nothing of it is left. */
async function writeAtomically(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const unfinished = `${path}${UNFINISHED}`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
