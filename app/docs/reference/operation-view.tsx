import type { Operation } from '#server/rest/document-types.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import { curlText } from './curl.ts'
import { operationGroups } from './document.ts'
import { exampleOf } from './example.ts'
import { FieldList } from './field-list.tsx'
import { type Field, fieldOf, fieldsOf } from './fields.ts'
import { MethodBadge } from './method-badge.tsx'
import { Operations } from './operation-list.tsx'
import styles from './reference.module.css'
import type { RequestShape } from './request.ts'
import { Responses } from './responses.tsx'
import { TryOut } from './try-out.tsx'

type Props = { method: string; path: string; operation: Operation }

/** All about one operation: parameters, body, responses, examples. */
export function OperationView({ method, path, operation }: Props) {
  const body = operation.requestBody?.content['application/json'].schema
  const shape = shapeOf({ method, path, operation })
  const related = operationGroups().find(({ name }) => operation.tags.includes(name))
  return (
    <PageFrame
      title={operation.summary}
      crumbs={[{ label: 'API reference', href: '/docs' }]}
      intro={
        <span className={styles.address}>
          <MethodBadge method={method} />
          <code>{path}</code>
        </span>
      }
    >
      <Section title="Request">
        <Parameters title="Path parameters" fields={parametersIn('path', operation)} />
        <Parameters title="Query parameters" fields={parametersIn('query', operation)} />
        {body && <Parameters title="Body" fields={fieldsOf(body)} />}
        <div>
          <h3 className={styles.part}>With curl</h3>
          <CodeBlock label="curl command" text={exampleCall(shape)} wrap />
        </div>
        <TryOut shape={shape} />
      </Section>
      <Responses operation={operation} />
      {related && related.operations.length > 1 && (
        <Section title={related.name} intro={related.description}>
          <Operations operations={related.operations.filter(({ id }) => id !== operation.operationId)} />
        </Section>
      )}
    </PageFrame>
  )
}

function Parameters({ title, fields }: { title: string; fields: Field[] }) {
  if (fields.length === 0) return null
  return (
    <div>
      <h3 className={styles.part}>{title}</h3>
      <FieldList fields={fields} />
    </div>
  )
}

function parametersIn(place: 'path' | 'query', operation: Operation): Field[] {
  return (operation.parameters ?? [])
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, required }) => fieldOf(name, schema, required === true))
}

function shapeOf({ method, path, operation }: Props): RequestShape {
  const body = operation.requestBody?.content['application/json'].schema
  return {
    method,
    path,
    parameters: (operation.parameters ?? []).map(({ name, in: place, required, schema }) => {
      const { type, values } = fieldOf(name, schema, required === true)
      return { name, in: place, isRequired: required === true, type, values }
    }),
    body: body ? exampleOf(body) : null,
  }
}

/** Returns the call with placeholders, such as `<id>`. */
function exampleCall({ method, path, parameters, body }: RequestShape): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.isRequired)
    .map(({ name }) => `${name}=<${name}>`)
  const address = [path.replace(/\{(\w+)\}/g, '<$1>'), ...(query.length > 0 ? [query.join('&')] : [])].join('?')
  return curlText({
    method,
    url: `"$SOUNDLINE_URL${address}"`,
    authorization: '"Authorization: Bearer $SOUNDLINE_KEY"',
    body,
  })
}
