import type { ErrorCode } from '../../schemas/errors/error-table.ts'

export type JsonSchema = { [keyword: string]: unknown }
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}
export type MediaType = { schema: JsonSchema; example?: unknown; examples?: Record<string, object> }
export type DocumentResponse = {
  description: string
  headers?: Record<string, object>
  content?: { 'application/json': MediaType }
}
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { description?: string; required: boolean; content: { 'application/json': MediaType } }
  responses: Record<string, DocumentResponse | { $ref: string; description?: string }>
  /** In place of the document's: the schemes of each way to authenticate, with their scopes. */
  security?: Record<string, string[]>[]
  /** The error codes by status. OpenAPI has no place for them. */
  'x-error-codes': Record<string, ErrorCode[]>
}
export type ApiDocument = {
  openapi: string
  security: Record<string, string[]>[]
  info: { title: string; version: string; description: string; contact: { name: string; url?: string } }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, DocumentResponse>
    headers: Record<string, object>
    securitySchemes: Record<string, object>
  }
  [field: string]: unknown
}
