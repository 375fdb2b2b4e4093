import { z } from 'zod'
import { Id } from '../../schemas/conventions.ts'
import type { DraftResult, DraftRun } from '../../schemas/new-service/drafts.ts'
import { Script } from '../../schemas/services.ts'
import { presentBody, presentStep, resultSummary } from './result-tools.ts'
import { defineTool, type ToolOutput, type ToolRequest } from './tool.ts'

const WAIT_MAX_SECONDS = 30

const input = z.object({
  script: Script,
  serviceId: Id.optional().meta({
    description: 'The service whose variables the script reads. Without one, the script may name no variables.',
  }),
})

const WaitSeconds = z
  .int()
  .min(0)
  .max(WAIT_MAX_SECONDS)
  .default(WAIT_MAX_SECONDS)
  .meta({ description: 'How long to wait until it is done.' })

export const validateScript = defineTool({
  name: 'validate_script',
  title: 'Validate a script',
  description:
    'Checks a Lace script as a save does for a service that is switched on, without running it: syntax, ' +
    'variables, targets. Returns every problem with its line. The language is described at /docs/language.md and ' +
    '/docs/language/reference.md.',
  access: 'read',
  input,
  run: async (draft, { call }) => {
    const checked = await call((caller) => caller.drafts.validate(draft))
    const { isValid, refusal } = checked
    return { summary: isValid ? 'The script is valid.' : `The script is refused: ${refusal?.error}`, data: checked }
  },
})

export const draftRunScript = defineTool({
  name: 'draft_run_script',
  title: 'Run a script without saving it',
  description:
    'Runs a script once on an agent and returns the result with its steps and the start of each response body. ' +
    'Nothing is saved: no result, metric, alert or variable changes. At most two at a time, and 120 per hour.',
  access: 'write',
  input: input.extend({ waitSeconds: WaitSeconds }),
  run: async ({ waitSeconds, ...draft }, request) => {
    const started = await request.call((caller) => caller.drafts.start(draft))
    return waitForDraft(request, started, waitSeconds)
  },
})

export const readDraftRun = defineTool({
  name: 'read_draft_run',
  title: 'Read a draft run',
  description: 'Returns a draft run that was not done yet when `draft_run_script` returned it.',
  access: 'read',
  input: z.object({ draftId: Id, waitSeconds: WaitSeconds }),
  run: async ({ draftId: id, waitSeconds }, request) => {
    const draft = await request.call((caller) => caller.drafts.get({ id }))
    return waitForDraft(request, draft, waitSeconds)
  },
})

async function waitForDraft(request: ToolRequest, started: DraftRun, seconds: number): Promise<ToolOutput> {
  const { call, wait } = request
  let draft = started
  if (isOpen(started) && seconds > 0) {
    await wait(started.id, seconds * 1_000)
    draft = await call((caller) => caller.drafts.get({ id: started.id }))
  }
  const { id, state, result } = draft
  return {
    summary: result ? resultSummary(result) : `The draft run is ${state}.`,
    data: { draftId: id, state, result: result && presentDraftResult(result) },
  }
}

function isOpen({ state }: DraftRun): boolean {
  return state === 'queued' || state === 'running'
}

function presentDraftResult({ steps, bodies, status, startedAt, runDurationMs, agentSlug, failure }: DraftResult) {
  return {
    ...{ status, startedAt, runDurationMs, agentSlug, failure },
    steps: steps.map((step) => ({
      ...presentStep(step),
      headers: step.headers,
      ...presentBody(bodies.find(({ stepId }) => stepId === step.id)),
    })),
  }
}
