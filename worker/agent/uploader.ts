import { log } from '#server/process/log.ts'
import { BodyAnswer, type HeldRun, type Upload, UploadAnswer } from '#server/schemas/agents/protocol.ts'
import type { Connection } from './connection.ts'
import { isAboutAgent, Refusal, type Requests, Unreachable } from './requests.ts'
import type { FinishedAssignment } from './run-assignment.ts'
import type { Spool, SpooledResult } from './spool.ts'

// Uploads the spool: the oldest results first, each after its bodies.

/** Results that are uploaded at the same time. */
const PARALLEL_MAX = 8
/** A body may be large, and the connection slow. */
const BODY_TIMEOUT_MS = 120_000
/** A body that would have to wait for longer was sent too often. Its result does not wait for it. */
const LONG_WAIT_MS = 120_000

export type Uploader = {
  /** Starts uploads. Call it when a result was spooled. */
  wake: () => void
  /** Resolves when the spool is empty, or when the signal aborts. */
  drained: (signal: AbortSignal) => Promise<void>
}

export type UploaderOptions = {
  spool: Spool
  requests: Requests
  connection: Connection
  /** Called with a refusal of the agent itself. Must abort the signal. */
  onRefused: (refusal: Refusal) => void
  signal: AbortSignal
}

export function createUploader({ spool, requests, connection, onRefused, signal }: UploaderOptions): Uploader {
  const inFlight = new Set<number>()
  const whenIdle: (() => void)[] = []

  const sendBodies = async (run: HeldRun, bodies: FinishedAssignment['bodies'], startedAt: string) => {
    const sent: Upload['bodies'] = []
    for (const body of bodies) {
      if ('reason' in body) {
        sent.push(body)
        continue
      }
      sent.push(await sendBody(run, body, startedAt))
    }
    return sent
  }

  /** Sends a body from the spool, piece by piece. Each try reads it again. */
  const sendBody = async (
    run: HeldRun,
    { call, contentType }: { call: number; contentType: string | null },
    startedAt: string,
  ): Promise<Upload['bodies'][number]> => {
    const query = { run: run.id, attempt: String(run.attempt), call: String(call), startedAt }
    const send = async (): Promise<BodyAnswer> => {
      const content = await spool.openBody(run, call)
      if (content === null) return { reason: 'store_unavailable' }
      try {
        const body = { content, contentType, query }
        return await requests({ path: 'bodies', body, answer: BodyAnswer, timeoutMs: BODY_TIMEOUT_MS, signal })
      } catch (error) {
        if (!(error instanceof Unreachable) || error.retryAfterMs < LONG_WAIT_MS) throw error
        throw new Refusal(429, 'rate_limited', error.message)
      } finally {
        await content.close()
      }
    }
    try {
      return { call, ...(await connection.persist('bodies', send, signal)) }
    } catch (error) {
      if (!(error instanceof Refusal) || isAboutAgent(error) || error.code === 'lease_lost') throw error
      log.error({ err: error, runId: run.id, code: error.code }, 'the server refused a response body')
      return { call, reason: error.status === 413 ? 'too_large' : 'store_unavailable' }
    }
  }

  const upload = async (result: SpooledResult): Promise<void> => {
    const file = await spool.readResult(result)
    if (file === null) return
    const { upload, bodies } = JSON.parse(file.toString()) as FinishedAssignment
    const json = { ...upload, bodies: await sendBodies(result, bodies, upload.startedAt) }
    const send = () => requests({ path: 'results', body: { json }, answer: UploadAnswer, signal })
    await connection.persist('results', send, signal)
  }

  /** Uploads a result and deletes it. Keeps it when the process stops, or when the server refuses the agent. */
  const settle = async (result: SpooledResult): Promise<void> => {
    try {
      await upload(result)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal && isAboutAgent(error)) return onRefused(error)
      const details = { runId: result.id, attempt: result.attempt }
      if (error instanceof Refusal && error.code === 'lease_lost') {
        log.warn(details, 'a result came too late: another attempt holds the run')
      } else log.error({ err: error, ...details }, 'a result cannot be uploaded, and is dropped')
    }
    await spool.remove(result)
  }

  const start = (result: SpooledResult) => {
    inFlight.add(result.sequence)
    void settle(result)
      .catch((error) => log.error({ err: error, runId: result.id }, 'an upload failed with an internal error'))
      .finally(() => {
        inFlight.delete(result.sequence)
        wake()
      })
  }

  const wake = () => {
    for (const result of signal.aborted ? [] : spool.results()) {
      if (inFlight.size >= PARALLEL_MAX) break
      if (!inFlight.has(result.sequence)) start(result)
    }
    if (inFlight.size > 0) return
    for (const resolve of whenIdle.splice(0)) resolve()
  }
  wake()

  return {
    wake,
    drained: (until) =>
      new Promise((resolve) => {
        until.addEventListener('abort', () => resolve())
        if (inFlight.size === 0 || until.aborted) resolve()
        else whenIdle.push(resolve)
      }),
  }
}
