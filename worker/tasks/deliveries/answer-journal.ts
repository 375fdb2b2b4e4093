import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#db/client.ts'
import { matchesId } from '#db/row-match.ts'
import { workers } from '#db/schema/runs.ts'
import { webhookDeliveries } from '#db/schema/webhooks.ts'
import { HOUR_MS } from '#server/durations.ts'
import { openDataFolder } from '#server/process/data-folder.ts'
import { log } from '#server/process/log.ts'

// A receiver's 2xx that the database does not have yet. Each worker writes it to a file of its own at once, so that it
// survives the death of the process: the next worker in this DATA_DIR stores it before the delivery is taken again.

/** The attempt that was answered, and with what. `attempts` and `dueAt` are those of the row before the attempt. */
export type Answer = z.output<typeof Answer>
const Answer = z.object({
  organizationId: z.guid(),
  deliveryId: z.guid(),
  attempts: z.int(),
  dueAt: z.iso.datetime().nullable(),
  status: z.int(),
  latencyMs: z.int(),
  at: z.iso.datetime(),
})

type Attempted = { organizationId: string; id: string; attempts: number; nextAttemptAt: Date | null }

export type AnswerJournal = {
  /** Keeps an answer until it is forgotten, when it is stored. Takes some 20 µs. */
  keep: (answer: Answer) => void
  forget: (answer: Answer) => void
  /** Returns the kept answer to this attempt of a delivery, or null. */
  find: (delivery: Attempted) => Answer | null
  /** Deletes the file, unless it has answers that are not stored. */
  close: () => void
}

const FOLDER = 'answers'
/** Larger than an answer. Each has a place of its own in the file, so that the file does not grow. */
const SLOT_BYTES = 256
const EMPTY = Buffer.from('\n'.padStart(SLOT_BYTES))
/** A worker that is just starting has a file, but no row yet. */
const UNUSED_MS = HOUR_MS

/** Opens the journal of a worker. Without a writable folder, answers are kept in memory only. */
export function openAnswerJournal(dataFolder: string, workerId: string): AnswerJournal {
  const file = join(dataFolder, FOLDER, workerId)
  const slots: (Answer | null)[] = []
  let descriptor: number | null = null
  try {
    openDataFolder(join(dataFolder, FOLDER))
    descriptor = openSync(file, 'w', 0o600)
  } catch (error) {
    log.warn({ err: error }, 'answers of webhook receivers cannot be written to DATA_DIR')
  }

  const write = (slot: number, text: Buffer) => {
    if (descriptor === null) return
    try {
      writeSync(descriptor, text, 0, SLOT_BYTES, slot * SLOT_BYTES)
    } catch (error) {
      log.warn({ err: error }, 'the answer of a webhook receiver could not be written to DATA_DIR')
    }
  }

  return {
    keep(answer) {
      const free = slots.indexOf(null)
      const slot = free < 0 ? slots.length : free
      slots[slot] = answer
      write(slot, Buffer.from(`${JSON.stringify(answer).padEnd(SLOT_BYTES - 1)}\n`))
    },
    forget(answer) {
      const slot = slots.indexOf(answer)
      if (slot < 0) return
      slots[slot] = null
      write(slot, EMPTY)
    },
    find: (delivery) => slots.find((answer) => answer !== null && answers(answer, delivery)) ?? null,
    close() {
      if (descriptor === null) return
      closeSync(descriptor)
      descriptor = null
      if (slots.every((answer) => answer === null)) rmSync(file, { force: true })
    },
  }
}

function answers({ deliveryId, attempts, dueAt }: Answer, delivery: Attempted): boolean {
  return (
    deliveryId === delivery.id &&
    attempts === delivery.attempts &&
    dueAt === (delivery.nextAttemptAt?.toISOString() ?? null)
  )
}

/** Matches no row if the delivery was resent or ended during the attempt: then its row counts. */
export function isAttempted({ organizationId, id, attempts, nextAttemptAt }: Attempted) {
  return and(
    matchesId(webhookDeliveries.id, organizationId, id),
    eq(webhookDeliveries.attempts, attempts),
    sql`${webhookDeliveries.nextAttemptAt} is not distinct from ${nextAttemptAt?.toISOString() ?? null}::timestamptz`,
  )
}

/** Stores that a delivery was accepted, in one statement: 0.5 ms. Does nothing if that is stored already. */
export async function storeAnswer(db: Db, answer: Answer): Promise<void> {
  const { organizationId, deliveryId: id, attempts, dueAt, status, latencyMs, at } = answer
  await db
    .update(webhookDeliveries)
    .set({
      state: 'delivered',
      attempts: attempts + 1,
      nextAttemptAt: null,
      lastStatus: status,
      lastError: null,
      lastLatencyMs: latencyMs,
      deliveredAt: new Date(at),
    })
    .where(
      and(
        isAttempted({ organizationId, id, attempts, nextAttemptAt: dueAt === null ? null : new Date(dueAt) }),
        eq(webhookDeliveries.state, 'pending'),
      ),
    )
}

/**
 * Stores the answers that workers in this DATA_DIR left. Call it before jobs of dead workers are unlocked. The answers of
 * a live worker are only stored sooner. Deletes files whose worker is gone.
 */
export async function storeLeftAnswers(db: Db, dataFolder: string, own: string): Promise<void> {
  const folder = join(dataFolder, FOLDER)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name !== own)
  if (names.length === 0) return
  const known = new Set((await db.select({ id: workers.id }).from(workers)).map(({ id }) => id))
  for (const name of names) {
    const file = join(folder, name)
    try {
      for (const answer of parseAnswers(await readFile(file, 'utf8'))) await storeAnswer(db, answer)
      const isUnused = Date.now() - (await stat(file)).mtimeMs > UNUSED_MS
      if (isUnused && !known.has(name)) await rm(file, { force: true })
    } catch (error) {
      // Another worker deleted it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** Skips lines that a crash of the machine left unfinished. */
function parseAnswers(text: string): Answer[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return []
    try {
      return [Answer.parse(JSON.parse(line))]
    } catch (error) {
      log.warn({ err: error }, 'a kept answer of a webhook receiver cannot be read')
      return []
    }
  })
}
