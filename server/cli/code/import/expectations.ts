import type { ImportedRequest } from '../../../language/script-import/request.ts'
import { VARIABLE_VALUE_MAX } from '../../../schemas/variables.ts'
import type { VariableEntry } from '../format/files.ts'
import type { Schema } from './body-schema.ts'
import type { Notes } from './checks.ts'
import { stringLiteral } from './conditions.ts'

/**
 * An assertion of another program as a condition of the language, a schema of the body, or the body as it is sent.
 * `differs` says where it is stricter or guessed.
 */
export type Kept = ({ condition: string } | { schema: Schema } | { body: string }) & { differs?: string }

/** What an assertion became: null when it was lost. */
export type Read = { text: string; kept: Kept | null }

/** Adds assertions to a request. One that cannot be kept is noted, and switches the check off. */
export function expecting(
  request: ImportedRequest,
  read: readonly Read[],
  check: string,
  notes: Notes,
): { request: ImportedRequest; variables: Record<string, VariableEntry> } {
  const conditions: string[] = []
  const schemas: Schema[] = []
  const bodies: string[] = []
  for (const { text, kept } of read) {
    if (!kept) {
      notes.lose(check, text, 'The script language has no such condition.', 'Add a condition to the script.')
      continue
    }
    if ('condition' in kept) conditions.push(kept.condition)
    else if ('schema' in kept) schemas.push(kept.schema)
    else bodies.push(kept.body)
    if (kept.differs) notes.add(check, text, kept.differs, 'Change the script if that matters.')
  }
  const [body] = bodies
  const document = schemas.length === 0 ? '' : JSON.stringify(schemas.length === 1 ? schemas[0] : { allOf: schemas })
  const isSchema = document !== '' && document.length <= VARIABLE_VALUE_MAX && body === undefined
  if (bodies.length + (document === '' ? 0 : 1) > 1 || document.length > VARIABLE_VALUE_MAX) {
    const why = 'A script compares a body once, with a text or with a schema of limited length.'
    notes.lose(check, 'conditions on the body', why, 'Split the check into several.')
  }
  const scopes = [
    ...(request.scopes ?? []),
    ...(isSchema ? [`body: schema($s.${SCHEMA})`] : []),
    ...(body === undefined ? [] : [`body: ${stringLiteral(body)}`]),
  ]
  return {
    request: {
      ...request,
      ...(scopes.length > 0 && { scopes }),
      conditions: [...(request.conditions ?? []), ...conditions],
    },
    variables: isSchema ? { [SCHEMA]: { type: 'variable', value: document } } : {},
  }
}

const SCHEMA = 'importedBodySchema'
