import type { components } from './schema.d.ts'

export type RunResult = Pick<components['schemas']['ResultSummary'], 'id' | 'status' | 'agentSlug' | 'summary'> & {
  url: string
}

export type Run = {
  id: string
  serviceId: string
  url: string
  state: string
  startedAt: string | null
  finishedAt: string | null
  outcome: string | null
  summary: string | null
  results: RunResult[]
}

export type BatchRun = {
  serviceId: string
  serviceName: string
  runId: string | null
  url: string | null
  state: string
  outcome: string | null
  summary: string | null
  reason: string | null
}

export type Batch = { id: string; url: string; state: string; runs: BatchRun[] }
