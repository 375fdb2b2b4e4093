import type { DraftBody, StoredDraftResult } from '#db/schema/drafts.ts'
import type { StoredStep } from '#db/schema/results.ts'
import { presentBody } from '#server/results/results/step-bodies.ts'
import type { BodyTarget } from '#server/runs/probes/body-capture.ts'

/** The start of each body that a draft run keeps, and of all its bodies together, in bytes. */
const BODY_MAX = 64 * 1024
const BODIES_MAX = 512 * 1024

type Captured = { start: Buffer; isCut: boolean }

/** Keeps the starts of a draft run's bodies in memory: they are stored with its result, not in a body store. */
export function captureDraftBodies(): { target: BodyTarget; attach: (steps: StoredStep[]) => Attached } {
  const captured = new Map<string, Captured>()
  let kept = 0
  const store: BodyTarget['store'] = {
    async put(key, bytes) {
      if (captured.has(key)) return
      const size = Math.min(bytes.length, BODY_MAX, BODIES_MAX - kept)
      // A copy, because a part of a buffer keeps the whole buffer in memory.
      const start = Buffer.from(bytes.subarray(0, endOfCharacter(bytes, size)))
      kept += start.length
      captured.set(key, { start, isCut: start.length < bytes.length })
    },
  }
  return { target: { id: '', store }, attach: (steps) => attach(steps, captured) }
}

type Attached = Pick<StoredDraftResult, 'steps' | 'bodies'>

function attach(steps: StoredStep[], captured: Map<string, Captured>): Attached {
  const bodies: DraftBody[] = []
  for (const step of steps) {
    const found = step.body && captured.get(step.body.key)
    if (!found) continue
    const shown = presentBody({ outcome: 'read', bytes: found.start }, step.body?.contentType ?? null)
    bodies.push({ stepId: step.id, ...shown, isCut: found.isCut })
  }
  return { steps: steps.map((step) => ({ ...step, body: null })), bodies }
}

/** Moves a cut back to the start of a UTF-8 character, so that text stays text. */
function endOfCharacter(bytes: Buffer, size: number): number {
  if (size >= bytes.length) return bytes.length
  let end = size
  while (end > 0 && size - end < 4 && ((bytes[end] as number) & 0xc0) === 0x80) end--
  return end
}
