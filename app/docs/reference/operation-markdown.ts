import type { DocumentResponse } from '#server/fronts/rest/document-types.ts'
import { exampleCall } from './curl.ts'
import { operationGroups, responsesOf } from './document.ts'
import { exampleOf } from './example.ts'
import { type Field, fieldsOf, typeText } from './fields.ts'
import { type OperationAt, parametersIn, shapeOf } from './operation-request.ts'

/** The page of an operation as Markdown, made from the same parts of the document. */
export function operationMarkdown(found: OperationAt): string {
  const { method, path, operation } = found
  const body = operation.requestBody?.content['application/json'].schema
  const responses = responsesOf(operation)
  const errors = responses.filter(([status]) => Number(status) >= 400)
  return [
    `# ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description,
    ...fieldPart('## Path parameters', parametersIn('path', operation)),
    ...fieldPart('## Query parameters', parametersIn('query', operation)),
    ...fieldPart('## Headers', parametersIn('header', operation)),
    ...(body ? fieldPart('## Body', fieldsOf(body)) : []),
    '## With curl',
    fenced('sh', exampleCall(shapeOf(found))),
    ...responses.filter((each) => !errors.includes(each)).flatMap(successPart),
    '## Errors',
    ...errors.map(([status, { description }]) => `**${status}**\n\n${description}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

/** The list of all operations as Markdown. */
export function operationsMarkdown(): string {
  const groups = operationGroups().map(({ name, description, operations }) =>
    [
      `## ${name}`,
      description,
      operations
        .map(({ id, method, path, summary }) => `- [${method} ${path}](/docs/operations/${id}): ${summary}`)
        .join('\n'),
    ].join('\n\n'),
  )
  return `# API reference\n\n${groups.join('\n\n')}\n`
}

function successPart([status, response]: [string, DocumentResponse]): string[] {
  const schema = response.content?.['application/json'].schema
  if (!schema) return [`## Response ${status}`, response.description]
  return [
    `## Response ${status}`,
    response.description,
    `Type: ${typeText(schema)}`,
    fieldLines(fieldsOf(schema)),
    fenced('json', exampleOf(schema)),
  ]
}

function fieldPart(title: string, fields: Field[]): string[] {
  return fields.length === 0 ? [] : [title, fieldLines(fields, true)]
}

/** Returns a list entry per field; the fields of an object are indented below it. */
function fieldLines(fields: Field[], isRequest = false, indent = ''): string {
  return fields
    .flatMap(({ name, type, isRequired, description, values, facts, fields: inner }) => {
      const presence = isRequest ? (isRequired ? ', required' : '') : isRequired ? '' : ', optional'
      const known = values.length > 0 ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : ''
      const text = [description, known, facts.length > 0 ? `(${facts.join(', ')})` : ''].filter((part) => part !== '')
      const line = `${indent}- \`${name}\` (${type}${presence})${text.length > 0 ? `: ${text.join(' ')}` : ''}`
      return inner.length > 0 ? [line, fieldLines(inner, isRequest, `${indent}  `)] : [line]
    })
    .join('\n')
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}
