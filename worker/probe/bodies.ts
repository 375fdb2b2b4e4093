import type { BodyStore } from '#server/bodies/body-store.ts'
import { bodyKey } from '#server/bodies/store.ts'
import type { BodySink } from '#server/lace/executor/run.ts'
import type { Redactor } from '../redaction/redact.ts'

/** Where the bodies of new results go. */
export type BodyTarget = { id: string; store: BodyStore }

type StoredBody = { storeId: string; key: string; bytes: number; contentType: string | null }

/** By index of the call; a text says why the body of that call is not kept after all. */
export type CapturedBodies = ReadonlyMap<number, StoredBody | NotStored>
type NotStored = 'store_unavailable' | 'too_large'

export const NO_BODIES: CapturedBodies = new Map()

export type BodyCapture = {
  sink: BodySink
  /** Resolves when each body has been stored or given up. */
  settle: () => Promise<CapturedBodies>
}

const PUT_TIMEOUT_MS = 15_000
const MAX_CONTENT_TYPE_LENGTH = 256

/**
 * Stores the bodies of one run beside it: what storing takes is no part of what is measured. They lie under the day of
 * the result's own start, however late they come: by that day both are cleared.
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
    const timer = setTimeout(() => reject(new Error(`the body store did not answer within ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
