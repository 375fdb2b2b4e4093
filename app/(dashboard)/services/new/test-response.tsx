import { Accordion, Alert, Badge, Group, Stack, Text } from '@mantine/core'
import { CircleX } from 'lucide-react'
import type { DraftResult, DraftRun } from '#server/schemas/new-service/drafts.ts'
import { CodeBlock } from '../../../components/code-block.tsx'
import { Instant } from '../../../components/instant.tsx'
import { bytesText, millisecondsText } from '../../../components/numbers.ts'
import { HeaderTable } from '../../../components/run-steps/header-table.tsx'

const EXCERPT_MAX = 2_000

/** What the test run received. */
export function TestResponse({ draft }: { draft: DraftRun }) {
  const { result } = draft
  if (!result) {
    return (
      <Alert color="orange" variant="light">
        No agent executed the test. Check that a worker is running, then test again.
      </Alert>
    )
  }
  const [step] = result.steps
  if (!step || step.statusCode === null) {
    return (
      <Alert color="red" variant="light" icon={<CircleX size={18} aria-hidden />} title="No response">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {result.failure?.cause ?? result.error ?? 'The test did not receive a response.'}
        </Text>
      </Alert>
    )
  }
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Badge size="lg" variant="light" color={step.statusCode < 400 ? 'teal' : 'red'}>
          {step.statusCode}
        </Badge>
        <Text size="sm">
          {millisecondsText(step.responseTimeMs)} · {bytesText(step.responseSizeBytes)} · from {result.agentSlug}
        </Text>
      </Group>
      <Certificate result={result} />
      <Accordion variant="contained" multiple chevronPosition="left">
        <Accordion.Item value="headers">
          <Accordion.Control>Response headers ({Object.keys(step.headers).length})</Accordion.Control>
          <Accordion.Panel>
            <HeaderTable headers={step.headers} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="body">
          <Accordion.Control>Response body</Accordion.Control>
          <Accordion.Panel>
            <BodyExcerpt result={result} stepId={step.id} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  )
}

function BodyExcerpt({ result, stepId }: { result: DraftResult; stepId: string }) {
  const body = result.bodies.find((one) => one.stepId === stepId)
  if (!body) return <Text size="sm">The response has no body.</Text>
  if (body.encoding !== null) return <Text size="sm">The body is not text.</Text>
  const text = body.content.slice(0, EXCERPT_MAX)
  return <CodeBlock text={text === body.content ? text : `${text}…`} label="Start of the response body" wrap />
}

type TlsOfCall = {
  response?: { tls?: { certificate?: { notAfter?: string; issuer?: { cn?: string } } | null } | null }
}

/** No assertion is suggested for it: the service warns before a certificate expires. */
function Certificate({ result }: { result: DraftResult }) {
  const [call] = (result.rawResult?.calls ?? []) as TlsOfCall[]
  const certificate = call?.response?.tls?.certificate
  if (!certificate?.notAfter) return null
  return (
    <Text size="sm" c="dimmed">
      The certificate{certificate.issuer?.cn ? ` of ${certificate.issuer.cn}` : ''} expires{' '}
      <Instant at={certificate.notAfter} />. The service warns you before that.
    </Text>
  )
}
