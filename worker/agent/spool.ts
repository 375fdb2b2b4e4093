import { join } from 'node:path'
import { piecesOf } from '#server/bodies/body-content.ts'
import { log } from '#server/process/log.ts'
import type { HeldRun } from '#server/schemas/agents/protocol.ts'
import { bodyName, type OpenContent, openSpoolFolder, resultName, SpoolFull } from './spool-files.ts'

// Results and response bodies that are not uploaded yet. A result is stored after its bodies: bodies without a result belong
// to a run that did not end.

/** A result on disk. `sequence` is the order of the uploads. */
export type SpooledResult = HeldRun & { sequence: number }

export type Spool = {
  /** The results from the oldest to the latest. */
  results: () => Iterable<SpooledResult>
  size: () => number
  has: (run: HeldRun) => boolean
  /** Whether half of the space is used: a reason to start no more runs. */
  isFilling: () => boolean
  /** Stores a body, which may be read twice. False when it cannot be stored. @throws BodyTooLarge as the body does */
  putBody: (run: HeldRun, call: number, body: () => AsyncIterable<Buffer>) => Promise<boolean>
  /** Stores the result of a run, which survives a kill from then on. False when it cannot be stored. */
  putResult: (run: HeldRun, result: Buffer) => Promise<boolean>
  /** Returns null when the file was dropped or cannot be read. */
  readResult: (result: SpooledResult) => Promise<Buffer | null>
  /** The same for a body. The caller must close it. */
  openBody: (run: HeldRun, call: number) => Promise<OpenContent | null>
  /** Deletes what is stored of a run. */
  remove: (run: HeldRun) => Promise<void>
}

/** Bytes that sealing adds, at most. */
const SEAL_BYTES = 64
/** How often the log says that results are dropped. */
const REPORT_MS = 60_000

type StoredFile = { name: string; bytes: number }

/** Opens the spool in a data folder, and deletes what a killed process left unfinished. */
export async function openSpool(dataFolder: string, key: Buffer, maxBytes: number): Promise<Spool> {
  const folder = await openSpoolFolder(join(dataFolder, 'spool'), key)
  /** The files of each run, by its id and attempt. */
  const files = new Map<string, StoredFile[]>()
  /** In the order of their sequences. */
  const queue = new Map<string, SpooledResult>()
  let usedBytes = 0
  let lastSequence = 0
  let [dropped, reportedAt] = [0, Number.NEGATIVE_INFINITY]

  const add = (run: HeldRun, file: StoredFile) => {
    const known = files.get(keyOf(run))
    if (known) known.push(file)
    else files.set(keyOf(run), [file])
    usedBytes += file.bytes
  }

  const resize = (file: StoredFile, bytes: number) => {
    usedBytes += bytes - file.bytes
    file.bytes = bytes
  }

  const remove = async (run: HeldRun) => {
    const removed = files.get(keyOf(run)) ?? []
    files.delete(keyOf(run))
    queue.delete(keyOf(run))
    // The result is the last file and goes first: without it, bodies are leftovers.
    for (const file of removed.toReversed()) {
      resize(file, 0)
      await folder.remove(file.name)
    }
  }

  /** Reserves `bytes` more for a file: drops the oldest results until they fit. @throws SpoolFull when they never fit */
  const reserve = async (file: StoredFile, bytes: number): Promise<void> => {
    for (const oldest of queue.values()) {
      if (usedBytes + bytes <= maxBytes) break
      await remove(oldest)
      dropped++
    }
    if (dropped > 0 && performance.now() - reportedAt > REPORT_MS) {
      log.warn({ results: dropped, maxBytes }, 'the spool is full: the oldest results were dropped')
      dropped = 0
      reportedAt = performance.now()
    }
    if (usedBytes + bytes > maxBytes) throw new SpoolFull(`the spool is larger than ${maxBytes} bytes`)
    resize(file, file.bytes + bytes)
  }

  const put = async (run: HeldRun, name: string, content: () => AsyncIterable<Buffer>): Promise<boolean> => {
    const file = { name, bytes: 0 }
    add(run, file)
    const reserved = async function* () {
      // The content may be read again.
      resize(file, 0)
      await reserve(file, SEAL_BYTES)
      for await (const piece of content()) {
        await reserve(file, piece.length)
        yield piece
      }
    }
    let isStored = false
    try {
      isStored = await folder.write(name, reserved)
    } catch (error) {
      if (!(error instanceof SpoolFull)) throw error
    } finally {
      const ofRun = files.get(keyOf(run))
      const isRemoved = !ofRun?.includes(file)
      // The run was removed while the file was written.
      if (isRemoved && isStored) await folder.remove(name)
      if (isRemoved || !isStored) resize(file, 0)
      if (!isStored) ofRun?.splice(ofRun.indexOf(file), isRemoved ? 0 : 1)
      isStored &&= !isRemoved
    }
    return isStored
  }

  const found = folder.list().toSorted((a, b) => (a.sequence ?? -1) - (b.sequence ?? -1))
  for (const { run, sequence, ...file } of found) {
    add(run, file)
    if (sequence === null) continue
    queue.set(keyOf(run), { ...run, sequence })
    lastSequence = sequence
  }
  for (const { run } of found) if (!queue.has(keyOf(run))) await remove(run)

  return {
    results: () => queue.values(),
    size: () => queue.size,
    has: (run) => queue.has(keyOf(run)),
    isFilling: () => usedBytes > maxBytes / 2,
    putBody: (run, call, body) => put(run, bodyName(run, call), body),
    async putResult(run, result) {
      const sequence = ++lastSequence
      const isStored = await put(run, resultName(run, sequence), () => piecesOf(result))
      if (isStored) queue.set(keyOf(run), { ...run, sequence })
      return isStored
    },
    readResult: async (result) => (queue.has(keyOf(result)) ? folder.read(resultName(result, result.sequence)) : null),
    openBody: (run, call) => folder.open(bodyName(run, call)),
    remove,
  }
}

function keyOf({ id, attempt }: HeldRun): string {
  return `${id}.${attempt}`
}
