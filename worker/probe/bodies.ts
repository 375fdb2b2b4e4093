import type { BodyStore } from '#server/bodies/body-store.ts'
import { bodyKey } from '#server/bodies/store.ts'
import type { BodySink } from '#server/lace/executor/run.ts'
import type { Redactor } from '../redaction/redact.ts'

/** The body store for new results. */
export type BodyTarget = { id: string; store: BodyStore }

type StoredBody = { storeId: string; key: string; bytes: number; contentType: string | null }

/** By index of the call. A string is the reason why the body of that call is not stored. */
export type CapturedBodies = ReadonlyMap<number, StoredBody | NotStored>
type NotStored = 'store_unavailable' | 'too_large'

export const NO_BODIES: CapturedBodies = new Map()

export type BodyCapture = {
  sink: BodySink
  /** Resolves when each body has been stored or has failed. */
  settle: () => Promise<CapturedBodies>
}

const PUT_TIMEOUT_MS = 15_000
const MAX_CONTENT_TYPE_LENGTH = 256

/**
 * Stores the bodies of one run in parallel to it, so that storing is not part of the measured times. Bodies are stored
 * under the day on which the run started, because results and bodies are cleared by that day.
 */
export function captureBodies(
  target: BodyTarget,
  run: { organizationId: string; serviceId: string; startedAt: Date },
  redactor: Redactor,
  onFailure: (error: unknown) => void,
): BodyCapture {
  const puts: Promise<[number, StoredBody | NotStored]>[] = []
  return {
    sink: async ({ callIndex, body, contentType }) => {
      const bytes = await redactor.body(body, contentType)
      if (bytes === null) {
        puts.push(Promise.resolve([callIndex, 'too_large']))
        return null
      }
      const shownType = (await redactor.text(contentType)).slice(0, MAX_CONTENT_TYPE_LENGTH)
      const key = bodyKey(run.organizationId, run.serviceId, run.startedAt, bytes)
      const stored = {
        storeId: target.id,
        key,
        bytes: bytes.length,
        contentType: shownType === '' ? null : shownType,
      }
      puts.push(
        withTimeout(PUT_TIMEOUT_MS, target.store.put(key, bytes)).then(
          (): [number, StoredBody] => [callIndex, stored],
          (error): [number, NotStored] => {
            onFailure(error)
            return [callIndex, 'store_unavailable']
          },
        ),
      )
      return key
    },
    settle: async () => new Map(await Promise.all(puts)),
  }
}

function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the body store did not respond within ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
