import { Alert, Stack, Text } from '@mantine/core'
import type { DraftResult, DraftRun } from '#server/schemas/new-service/drafts.ts'
import { DraftSteps } from '../../../components/drafts/draft-steps.tsx'
import { CircleX } from '../../../components/icons.ts'
import { Instant } from '../../../components/instant.tsx'

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
      <DraftSteps result={result} />
      <Text size="sm" c="dimmed">
        Tested from {result.agentSlug}. <Certificate result={result} />
      </Text>
    </Stack>
  )
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
    <>
      The certificate{certificate.issuer?.cn ? ` of ${certificate.issuer.cn}` : ''} expires{' '}
      <Instant at={certificate.notAfter} />. The service alerts you before that.
    </>
  )
}
