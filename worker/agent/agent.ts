import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { MeasuredClock } from '#server/observe/system/measured-clock.ts'
import { GRACE_MS } from '#server/process/lifecycle.ts'
import { log } from '#server/process/log.ts'
import {
  HeartbeatAnswer,
  type HeartbeatRequest,
  POLL_WAIT_MAX_SECONDS,
  PollAnswer,
  type PollRequest,
  PROTOCOL,
  type ReleaseRequest,
  type AgentSettings as ServerSettings,
  SLOTS_MAX,
} from '#server/schemas/agents/protocol.ts'
import { createProcessMeter } from '../process-load.ts'
import type { Connection } from './connection.ts'
import type { Enrolled } from './enrol.ts'
import { createExecutor } from './executor.ts'
import type { ProcessName } from './process-name.ts'
import { createRequests, isAboutAgent, Refusal, refusalEnd } from './requests.ts'
import type { AgentSettings } from './settings.ts'
import type { Spool } from './spool.ts'
import { createUploader } from './uploader.ts'

/** How long the server may need in addition to the time that a poll waits. */
const POLL_MARGIN_MS = 20_000
/** How long the agent waits when it cannot start runs, and after a poll that returned empty at once. */
const BUSY_PAUSE_MS = 200
const EMPTY_PAUSE_MS = 1_000
/** How long results may take to be uploaded when the process stops. The rest stays in the spool. */
const UPLOAD_GRACE_MS = 10_000
const LOST_GRACE_MS = 1_000
const RELEASE_TIMEOUT_MS = 5_000
/** A smaller difference of the clocks is not worth a line in the log. */
const CLOCK_DIFFERENCE_MS = 2_000

export type Agent = {
  /** Rejects with a `StartupError` when the server refuses the agent for good. */
  ended: Promise<never>
  /** Finishes its runs or gives them back, uploads results, and leaves. */
  stop: () => Promise<void>
}

export type AgentContext = {
  settings: AgentSettings
  version: string
  identity: Enrolled
  name: ProcessName
  spool: Spool
  clock: MeasuredClock
  connection: Connection
}

/** Starts an enrolled agent: it sends heartbeats, polls for runs, executes them and uploads the results. */
export function startAgent({ settings, version, identity, name, spool, clock, connection }: AgentContext): Agent {
  const { SOUNDLINE_URL: url, PROBE_ALLOWED_NETWORKS: allowedNetworks } = settings
  const { instance } = name
  let { former } = name
  const { privateKey, enrolment } = identity
  const requests = createRequests(url, version, { privateKey, keyId: enrolment.keyId }, clock)
  const polling = new AbortController()
  const living = new AbortController()
  const stoppingRuns = new AbortController()
  let end: (reason: unknown) => void = () => {}
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  const meter = createProcessMeter()
  let serverSettings: ServerSettings | null = null
  let stopped: Promise<void> | null = null
  let loggedAheadMs = 0

  const executor = createExecutor(settings, spool, clock, () => uploader.wake())

  /** Stops the agent because the server refuses it. */
  const leave = (refusal: Refusal) => {
    if (refusal.status === 426) return leaveTooOld()
    polling.abort()
    stoppingRuns.abort()
    living.abort()
    end(refusalEnd(refusal, `The server refuses this agent: ${refusal.message} (${refusal.code})`))
  }

  /** Takes no more runs, and ends when those in flight are uploaded. */
  const leaveTooOld = () => {
    if (polling.signal.aborted) return
    log.error({ version, protocol: PROTOCOL, url }, 'this agent is too old for the server: it takes no more runs')
    polling.abort()
    const way = `Install the version of the server, such as by: npx -y ${url}/agent.tgz`
    const message = `This agent (version ${version}) is too old for the server. ${way}`
    void finish().then(() => end(refusalEnd({ code: 'agent_too_old' }, message)), end)
  }

  const onRefused = (refusal: Refusal) => {
    leave(refusal)
    living.abort()
  }
  const uploader = createUploader({ spool, requests, connection, onRefused, signal: living.signal })

  const beat = async () => {
    const running = executor.held()
    const sentAt = performance.now()
    const json: HeartbeatRequest = {
      instance,
      former,
      slots: executor.slots,
      busy: executor.busy(),
      ...meter.measure(),
      sentAt: new Date(clock.now()).toISOString(),
      allowedNetworks,
      held: [...running, ...pending()].slice(0, SLOTS_MAX),
    }
    const answer = await requests({ path: 'heartbeat', body: { json }, answer: HeartbeatAnswer, signal: living.signal })
    clock.observe(new Date(answer.now), sentAt, performance.now())
    const held = new Set(answer.held.map(({ id, attempt }) => `${id}.${attempt}`))
    executor.stop(running.filter(({ id, attempt }) => !held.has(`${id}.${attempt}`)))
    serverSettings = answer.settings
    logClock()
    if (answer.settings.minimumProtocol > PROTOCOL) leaveTooOld()
    return answer.settings
  }

  /** The first results of the spool: their leases are renewed until they are uploaded. */
  const pending = () => {
    const first: { id: string; attempt: number }[] = []
    for (const { id, attempt } of spool.results()) {
      if (first.push({ id, attempt }) >= SLOTS_MAX) break
    }
    return first
  }

  const logClock = () => {
    const aheadMs = clock.aheadMs() ?? 0
    if (Math.abs(aheadMs - loggedAheadMs) < CLOCK_DIFFERENCE_MS) return
    loggedAheadMs = aheadMs
    log.warn({ serverAheadMs: aheadMs }, "this machine's clock differs from the server's; times are corrected")
  }

  const sendHeartbeats = async () => {
    for (let isFirst = true; ; isFirst = false) {
      const { heartbeatSeconds } = await connection.persist('heartbeat', beat, living.signal)
      if (isFirst) {
        former = undefined
        name.store()
        log.info({ agent: enrolment.agent.slug, url, version, slots: executor.slots }, 'the agent is connected')
        void guard(takeRuns())
      }
      await sleep(heartbeatSeconds * 1_000, undefined, { signal: living.signal })
    }
  }

  const takeRuns = async () => {
    const { signal } = polling
    while (!signal.aborted) {
      const free = spool.isFilling() ? 0 : Math.min(executor.free(), SLOTS_MAX)
      if (free === 0) {
        await sleep(BUSY_PAUSE_MS, undefined, { signal })
        continue
      }
      const json: PollRequest = { instance, free, waitSeconds: POLL_WAIT_MAX_SECONDS }
      const timeoutMs = POLL_WAIT_MAX_SECONDS * 1_000 + POLL_MARGIN_MS
      const polledAt = performance.now()
      const send = () => requests({ path: 'poll', body: { json }, answer: PollAnswer, timeoutMs, signal })
      const { runs } = await connection.persist('poll', send, signal)
      for (const run of runs) executor.start(run, serverSettings?.runTimeoutMs ?? 0)
      const isEmpty = runs.length === 0 && performance.now() - polledAt < EMPTY_PAUSE_MS
      if (isEmpty) await sleep(EMPTY_PAUSE_MS, undefined, { signal })
    }
  }

  /** Handles the end of a loop: an abort, a refusal, or an error of the agent's own. */
  const guard = (loop: Promise<unknown>) =>
    loop.catch((error) => {
      if (error instanceof Refusal && isAboutAgent(error)) leave(error)
      else if (!polling.signal.aborted) end(error)
    })

  const finish = async () => {
    const unfinished = await executor.drain(AbortSignal.any([stoppingRuns.signal, AbortSignal.timeout(GRACE_MS)]))
    const graceMs = connection.isLost() ? LOST_GRACE_MS : UPLOAD_GRACE_MS
    await uploader.drained(AbortSignal.any([living.signal, AbortSignal.timeout(graceMs)]))
    if (living.signal.aborted) return
    const json: ReleaseRequest = { instance, held: unfinished.slice(0, SLOTS_MAX) }
    const release = { path: 'release', body: { json }, answer: z.object({}), signal: living.signal }
    // Without it, the leases expire.
    await requests({ ...release, timeoutMs: RELEASE_TIMEOUT_MS }).catch((error) => {
      log.debug({ err: error }, 'the server did not get the notice that this agent stops')
    })
    living.abort()
  }

  void guard(sendHeartbeats())
  return {
    ended,
    stop() {
      polling.abort()
      stopped ??= finish().finally(meter.stop)
      return stopped
    },
  }
}
