import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import { CurlExample } from './curl-example.tsx'
import { operationGroups } from './document.ts'
import { FieldList } from './field-list.tsx'
import { type Field, fieldsOf } from './fields.ts'
import { MethodBadge } from './method-badge.tsx'
import { Operations } from './operation-list.tsx'
import { type OperationAt, parametersIn, shapeOf } from './operation-request.ts'
import { Prose } from './prose.tsx'
import styles from './reference.module.css'
import { Responses } from './responses.tsx'
import { TryOut } from './try-out.tsx'

/** All about one operation: parameters, body, responses, examples. */
export function OperationView({ method, path, operation }: OperationAt) {
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
      <div>
        {operation.description.split('\n\n').map((paragraph) => (
          <Prose key={paragraph} text={paragraph} />
        ))}
      </div>
      <Section title="Request">
        <Parameters title="Path parameters" fields={parametersIn('path', operation)} />
        <Parameters title="Query parameters" fields={parametersIn('query', operation)} />
        <Parameters title="Headers" fields={parametersIn('header', operation)} />
        {body && <Parameters title="Body" fields={fieldsOf(body)} />}
        <div>
          <h3 className={styles.part}>With curl</h3>
          <CurlExample shape={shape} />
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
