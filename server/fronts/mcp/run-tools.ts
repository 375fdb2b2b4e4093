import { z } from 'zod'
import { Id } from '../../schemas/conventions.ts'
import { skippedText } from '../../schemas/results/skipped-text.ts'
import { type Run, RunRequest } from '../../schemas/runs.ts'
import { defineTool, type ToolOutput, type ToolRequest } from './tool.ts'

const WAIT_MAX_SECONDS = 30

const WaitSeconds = z
  .int()
  .min(0)
  .max(WAIT_MAX_SECONDS)
  .default(WAIT_MAX_SECONDS)
  .meta({ description: 'How long to wait until the run is done.' })

export const runService = defineTool({
  name: 'run_service',
  title: 'Run a service and wait',
  description:
    'Requests a run of a service and waits for it. The result is stored and can change the state of the service, open ' +
    'or close an incident and notify people. A run with `variables` does not count for state, metrics and alerts. If ' +
    'the state is not `done`, call read_run.',
  access: 'write',
  input: RunRequest.extend({ serviceId: Id, waitSeconds: WaitSeconds }),
  run: async ({ serviceId: id, waitSeconds, ...demand }, request) => {
    const { runId, joined } = await request.call((caller) => caller.services.run({ id, ...demand }))
    const { summary, data } = await waitForRun(request, { id, runId }, waitSeconds)
    return { summary, data: { ...data, joined } }
  },
})

export const readRun = defineTool({
  name: 'read_run',
  title: 'Read a run',
  description: 'Returns a run with its state, outcome and results, and waits until it is done.',
  access: 'read',
  input: z.object({ serviceId: Id, runId: Id, waitSeconds: WaitSeconds }),
  run: ({ serviceId: id, runId, waitSeconds }, request) => waitForRun(request, { id, runId }, waitSeconds),
})

type RunIds = { id: string; runId: string }

async function waitForRun(request: ToolRequest, ids: RunIds, seconds: number): Promise<ToolOutput> {
  const { call, wait } = request
  const read = () => call((caller) => caller.services.runs.get(ids))
  const run = await read()
  if (run.state === 'done' || seconds === 0) return outputOf(run)
  await wait(run.id, seconds * 1_000)
  return outputOf(await read())
}

function outputOf(run: Run): ToolOutput {
  const cause = run.summary ?? skippedText(run.skippedAgents)
  const outcome = cause === null ? run.outcome : `${run.outcome}: ${cause}`
  return { summary: run.state === 'done' ? String(outcome) : `The run is ${run.state}.`, data: run }
}
