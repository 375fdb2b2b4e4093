import { Alert, Badge, Group, Stack, Text } from '@mantine/core'
import type { DraftResult } from '#server/schemas/new-service/drafts.ts'
import { errorWarning } from '#server/schemas/new-service/suggestions.ts'
import { CircleX, TriangleAlert } from '../icons.ts'
import { Instant } from '../instant.tsx'
import { bytesText, millisecondsText } from '../numbers.ts'
import { BodyContent } from '../run-steps/body-content.tsx'
import { Disclosure } from '../run-steps/disclosure.tsx'
import { HeaderTable } from '../run-steps/header-table.tsx'
import type { TakeValue } from '../run-steps/json-tree.tsx'

/** What came back for a step of a test. */
export function Answer({ result, at, onTake }: { result: DraftResult; at: number; onTake?: TakeValue | undefined }) {
  const step = result.steps[at]
  if (!step || step.outcome === 'skipped') {
    return <Text size="sm">The test ended before this step.</Text>
  }
  const body = result.bodies.find(({ stepId }) => stepId === step.id)
  if (step.statusCode === null) {
    return (
      <Alert color="red" variant="light" icon={<CircleX size={18} aria-hidden />} title="No response">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {step.error ?? result.failure?.cause ?? result.error ?? 'The test did not receive a response.'}
        </Text>
      </Alert>
    )
  }
  const warning = errorWarning(step.statusCode)
  const headers = Object.keys(step.headers).length
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge variant="light" color={step.statusCode < 400 ? 'teal' : 'red'}>
          {step.statusCode}
        </Badge>
        <Text size="sm">{millisecondsText(step.responseTimeMs)}</Text>
        <Text size="sm">{bytesText(step.responseSizeBytes)}</Text>
        <Text size="sm" c="dimmed">
          from {result.agentSlug}
        </Text>
      </Group>
      {warning && (
        <Alert color="orange" variant="light" icon={<TriangleAlert size={18} aria-hidden />}>
          {warning}
        </Alert>
      )}
      {body ? (
        <Disclosure label="Response body" isOpen>
          <Stack gap="xs">
            {body.isCut && (
              <Text size="xs" c="dimmed">
                Only the start of the body is shown.
              </Text>
            )}
            <BodyContent body={body} onTake={onTake} />
          </Stack>
        </Disclosure>
      ) : (
        <Text size="sm">The response has no body.</Text>
      )}
      {headers > 0 && (
        <Disclosure label={`Response headers (${headers})`}>
          <HeaderTable headers={step.headers} />
        </Disclosure>
      )}
      <Certificate result={result} at={at} />
    </Stack>
  )
}

type TlsOfCall = {
  response?: { tls?: { certificate?: { notAfter?: string; issuer?: { cn?: string } } | null } | null }
}

/** No assertion is suggested for it: the service warns before a certificate expires. */
function Certificate({ result, at }: { result: DraftResult; at: number }) {
  const call = ((result.rawResult?.calls ?? []) as TlsOfCall[])[at]
  const certificate = call?.response?.tls?.certificate
  if (!certificate?.notAfter) return null
  return (
    <Text size="sm" c="dimmed">
      The certificate{certificate.issuer?.cn ? ` of ${certificate.issuer.cn}` : ''} expires{' '}
      <Instant at={certificate.notAfter} />. The service alerts you before that.
    </Text>
  )
}
