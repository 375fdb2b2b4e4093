import type { DocumentResponse, Operation } from '#server/fronts/rest/document-types.ts'
import { server } from '../../server.ts'

export type OperationEntry = { id: string; method: string; path: string; summary: string }
export type OperationGroup = { name: string; description: string; operations: OperationEntry[] }

/** Returns the operations by tag, in the document's order. */
export function operationGroups(): OperationGroup[] {
  const tags = server.apiDocument().tags as { name: string; description: string }[]
  return tags.map((tag) => ({
    ...tag,
    operations: everyOperation()
      .filter(({ operation }) => operation.tags.includes(tag.name))
      .map(({ method, path, operation }) => ({
        id: operation.operationId,
        method,
        path,
        summary: operation.summary,
      })),
  }))
}

/** Returns an operation by its `operationId`, or undefined. */
export function findOperation(id: string) {
  return everyOperation().find(({ operation }) => operation.operationId === id)
}

function everyOperation(): { method: string; path: string; operation: Operation }[] {
  return Object.entries(server.apiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** Returns the responses of an operation by status, with shared ones in place of their references. */
export function responsesOf(operation: Operation): [status: string, response: DocumentResponse][] {
  return Object.entries(operation.responses).map(([status, response]) => [
    status,
    '$ref' in response ? withDescription(response) : response,
  ])
}

/** Returns the shared response with the codes of this operation. */
function withDescription({ $ref, description }: { $ref: string; description?: string }): DocumentResponse {
  const shared = referenced($ref) as DocumentResponse
  return description === undefined ? shared : { ...shared, description }
}

/** Returns what a reference such as `#/components/schemas/Service` points to. */
export function referenced(reference: string): unknown {
  const [, ...path] = reference.split('/')
  return path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], server.apiDocument())
}
