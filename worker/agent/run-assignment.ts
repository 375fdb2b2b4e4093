import type { Clock } from '#server/language/lace/executor/clock.ts'
import { OMITTED, type ProbeResult } from '#server/language/lace/result.ts'
import { parseScript } from '#server/runs/probes/script-cache.ts'
import { maskCertificates } from '#server/runs/probes/seen-certificates.ts'
import { type Assignment, UPLOAD_MAX_BYTES, type Upload } from '#server/schemas/agents/protocol.ts'
import type { VariableScopes } from '#server/scripts/variable-scopes.ts'
import type { RunTransport } from '../http/shared-transport.ts'
import { runLoaded } from '../probe/run-loaded.ts'
import { type CapturedBody, captureBodies } from './capture-bodies.ts'
import type { Spool } from './spool.ts'
import { watchFirstRequest } from './watch-first-request.ts'

type FinishedUpload = Omit<Upload, 'probe'> & { probe: ProbeResult | null }
type Ending = Pick<FinishedUpload, 'probe' | 'broken' | 'timeoutPhases' | 'certificates' | 'refused'>

/** A finished run as it is spooled: what is uploaded, and which bodies are uploaded before it. */
export type FinishedAssignment = { upload: FinishedUpload; bodies: CapturedBody[] }

type RunContext = {
  spool: Spool
  shared: RunTransport
  runTimeoutMs: number
  clock: Clock
  /** As the agent's operator wrote them. */
  allowedNetworks: readonly string[]
}

const REASON_MAX = 2_000
/** Bytes of the receipts that the bodies of a result get: of each, and of all. */
const RECEIPT_BYTES = 3_000
const RECEIPTS_MAX_BYTES = 1024 * 1024

/** Executes a run that the server assigned. Rejects with the signal's reason when it aborts. */
export async function runAssignment(
  assignment: Assignment,
  { spool, shared, runTimeoutMs, clock, allowedNetworks }: RunContext,
  signal: AbortSignal,
): Promise<FinishedAssignment> {
  const { id, attempt, serviceId, script } = assignment
  const runnable = {
    source: script.source,
    ast: parseScript(serviceId, script.version, script.source),
    prev: assignment.prev,
    sendTraceparent: assignment.traceparent,
    variables: { ...assignment.variables, values: withoutPrototypes(assignment.variables.values) },
  }
  const watched = watchFirstRequest(shared.transport)
  let capture: ReturnType<typeof captureBodies> | null = null
  const finish = async (startedAt: string, ending: Ending) => {
    const bodies = (await capture?.settle()) ?? []
    const waitedMs = Math.round(shared.waitedMs())
    return { upload: { id, attempt, startedAt, ...ending, bodies: [], waitedMs }, bodies: ending.probe ? bodies : [] }
  }
  return runLoaded<FinishedAssignment>(
    assignment,
    runnable,
    { transport: watched.transport, runTimeoutMs, clock },
    {
      bodySink(_startedAt, redactor) {
        if (!assignment.saveBodies) return null
        capture = captureBodies({ id, attempt }, spool, redactor)
        return capture.sink
      },
      async finished(result, redactor, { timeoutPhases, certificates }) {
        const probe = await redactor.result(result)
        const masked = await maskCertificates(certificates, redactor)
        const ending = { probe, broken: null, timeoutPhases: [...timeoutPhases], certificates: masked }
        const host = watched.refusedHost()
        if (host === null) return finish(probe.startedAt, ending)
        const refused = { host: await redactor.text(host), allowedNetworks: [...allowedNetworks] }
        return finish(probe.startedAt, { ...ending, refused })
      },
      broken: async (startedAt, _endedAt, status, reason) =>
        finish(startedAt.toISOString(), {
          probe: null,
          broken: { status, reason: reason.slice(0, REASON_MAX) },
          timeoutPhases: [],
          certificates: [],
        }),
    },
    signal,
  )
}

/** Returns the finished run as it is spooled, without what is too large to be uploaded. */
export function encodeFinished({ upload, bodies }: FinishedAssignment): Buffer {
  const encode = (changed: Partial<FinishedUpload>, kept = bodies) =>
    Buffer.from(JSON.stringify({ upload: { ...upload, ...changed }, bodies: kept }))
  const whole = encode({})
  const max = UPLOAD_MAX_BYTES - Math.min(bodies.length * RECEIPT_BYTES, RECEIPTS_MAX_BYTES)
  if (whole.length <= max || upload.probe === null) return whole
  const smaller = encode({ probe: withoutVariables(upload.probe) })
  if (smaller.length <= max) return smaller
  const broken = { status: 'failure' as const, reason: `the result is larger than ${max} bytes` }
  return encode({ probe: null, broken, timeoutPhases: [], refused: undefined }, [])
}

function withoutVariables(probe: ProbeResult): ProbeResult {
  const last = probe.calls.at(-1)
  if (!last) return { ...probe, runVars: {} }
  const noted = { ...last, warnings: [...last.warnings, `${OMITTED}: the run variables`] }
  return { ...probe, runVars: {}, calls: [...probe.calls.slice(0, -1), noted] }
}

/** Returns objects without a prototype, so that any key is safe. */
function withoutPrototypes(values: Assignment['variables']['values']): VariableScopes['values'] {
  const bare = <T extends object>(object: T): T => Object.assign(Object.create(null), object)
  return bare({ o: bare(values.o), w: bare(values.w), p: bare(values.p), s: bare(values.s) })
}
