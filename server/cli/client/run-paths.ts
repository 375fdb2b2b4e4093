import type { Batch, Run } from './run-types.ts'

type Operation<Q, P, B, R> = B & {
  parameters: { query?: Q; header?: never; path: P; cookie?: never }
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': R } } }
}
type None = { put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never }
type Get<Q, P, R> = None & { post?: never; get: Operation<Q, P, { requestBody?: never }, R> }
type Post<P, B, R> = None & {
  get?: never
  post: Operation<never, P, { requestBody: { content: { 'application/json': B } } }, R>
}
type Wait = { wait?: number }
type Body = { variables?: Record<string, string>; note?: string }

export type RunPaths = {
  '/api/public/v1/projects/{id}/run': Post<{ id: string }, Body & { label?: string; state?: string }, Batch>
  '/api/public/v1/workspaces/{id}/run': Post<{ id: string }, Body & { label?: string; state?: string }, Batch>
  '/api/public/v1/services/{id}/runs/{runId}': Get<Wait, { id: string; runId: string }, Run>
  '/api/public/v1/batches/{id}': Get<Wait, { id: string }, Batch>
}
