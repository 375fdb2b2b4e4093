import type { DocumentResponse, JsonSchema, Operation } from '#server/fronts/rest/document-types.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/layout/section.tsx'
import { referenced, responsesOf } from './document.ts'
import { exampleOf } from './example.ts'
import { FieldList, FoldedFields } from './field-list.tsx'
import { type Field, fieldOf, fieldsOf, typeText } from './fields.ts'
import { Prose } from './prose.tsx'
import styles from './reference.module.css'

/** The responses of an operation, errors with their codes, and the headers. */
export function Responses({ operation }: { operation: Operation }) {
  const responses = responsesOf(operation)
  const errors = responses.filter(([status]) => Number(status) >= 400)
  return (
    <>
      {responses
        .filter((response) => !errors.includes(response))
        .map(([status, response]) => (
          <Section key={status} title={`Response ${status}`} intro={response.description}>
            <Success response={response} />
          </Section>
        ))}
      <Section title="Errors">
        <ul className={styles.fields}>
          {errors.map(([status, response]) => (
            <ErrorResponse key={status} status={status} response={response} />
          ))}
        </ul>
      </Section>
      <Section title="Response headers">
        <FieldList fields={headersOf(responses)} />
      </Section>
    </>
  )
}

function Success({ response }: { response: DocumentResponse }) {
  const schema = schemaOf(response)
  if (!schema) return null
  return (
    <>
      <p className={styles.type}>{typeText(schema)}</p>
      <FieldList fields={fieldsOf(schema)} isResponse />
      <div>
        <h3 className={styles.part}>Example</h3>
        <CodeBlock label="Example" text={exampleOf(schema)} wrap />
      </div>
    </>
  )
}

/** A status with its codes: the description is a list of them. */
function ErrorResponse({ status, response }: { status: string; response: DocumentResponse }) {
  const schema = schemaOf(response)
  const details = schema ? fieldsOf(schema).find(({ name }) => name === 'details') : undefined
  return (
    <li>
      <strong>{status}</strong>
      {response.description.split('\n').map((line) => (
        <Prose key={line} text={line.replace(/^- /, '')} />
      ))}
      {details && <FoldedFields title={`Details of ${status}`} fields={details.fields} isResponse />}
    </li>
  )
}

/** Returns the headers of all responses. A header that only some have says which. */
function headersOf(responses: [string, DocumentResponse][]): Field[] {
  const names = new Set(responses.flatMap(([, { headers = {} }]) => Object.keys(headers)))
  return [...names].map((name) => {
    const having = responses.filter(([, { headers = {} }]) => name in headers)
    const header = referenced(`#/components/headers/${name}`) as { description: string; schema: JsonSchema }
    const field = fieldOf(name, { ...header.schema, description: header.description }, false)
    const statuses = having.map(([status]) => status).join(' and ')
    return having.length === responses.length ? field : { ...field, facts: [`only with ${statuses}`] }
  })
}

function schemaOf(response: DocumentResponse): JsonSchema | undefined {
  return response.content?.['application/json'].schema
}
