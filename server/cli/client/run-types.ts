import type { components } from './schema.d.ts'

export type Run = components['schemas']['Run']
export type RunResult = components['schemas']['RunResult']

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
