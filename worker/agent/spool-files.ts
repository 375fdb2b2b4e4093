import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { log } from '#server/process/log.ts'
import type { HeldRun } from '#server/schemas/agents/protocol.ts'
import { seal, unseal } from './sealed.ts'

// The files of the spool, sealed and written atomically.

export type SpoolFile = { name: string; bytes: number; run: HeldRun /** Null for a body. */; sequence: number | null }

export type SpoolFolder = {
  /** Returns the files of a former process. */
  list: () => SpoolFile[]
  /** Writes the file, or keeps it in memory while the disk refuses it. False when there is too much in memory already. */
  write: (name: string, bytes: Buffer) => Promise<boolean>
  /** Returns null when the file is missing or cannot be read. One that cannot be read is set aside. */
  read: (name: string) => Promise<Buffer | null>
  remove: (name: string) => Promise<void>
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

  return {
    list() {
      const names = readdirSync(folder)
      for (const name of names) if (isLeftover(folder, name)) rmSync(join(folder, name), { force: true })
      return names.flatMap((name) => describe(folder, name) ?? [])
    },
    async write(name, bytes) {
      const sealed = await seal(key, name, bytes)
      try {
        await writeAtomically(join(folder, name), sealed)
      } catch (error) {
        if (unwrittenBytes + sealed.length > MEMORY_MAX_BYTES) return false
        log.error({ err: error, file: name }, 'the spool cannot be written; the file is kept in memory')
        unwritten.set(name, sealed)
        unwrittenBytes += sealed.length
      }
      return true
    },
    async read(name) {
      try {
        return await unseal(key, name, unwritten.get(name) ?? (await readFile(join(folder, name))))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        log.error({ err: error, file: name }, 'a file of the spool cannot be read, and is set aside')
        await rename(join(folder, name), join(folder, `${name}${SET_ASIDE}`)).catch(() => {})
        return null
      }
    },
    async remove(name) {
      unwrittenBytes -= unwritten.get(name)?.length ?? 0
      if (!unwritten.delete(name)) await rm(join(folder, name), { force: true })
    },
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

/** After a loss of power, the file is whole or missing. */
async function writeAtomically(path: string, bytes: Buffer): Promise<void> {
  const unfinished = `${path}${UNFINISHED}`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}
