import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { secretsOf } from '#server/language/builder/secrets.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { BlockedNotice, ScriptPanel } from '../../../components/builder/script-panel.tsx'
import { StepSequence } from '../../../components/builder/step-sequence.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { UnverifiedNotice } from '../[serviceId]/unverified-notice.tsx'
import { nameOfSecret, SecretList } from './secret-list.tsx'
import type { Request } from './use-request.ts'

const SecretNotice = lazyDialog(() =>
  import('../../../components/builder/secret-notice.tsx').then((module) => module.SecretNotice),
)
const DraftSteps = lazyDialog(() =>
  import('../../../components/drafts/draft-steps.tsx').then((module) => module.DraftSteps),
)

/** What the service sends, and what it expects: the steps, or the script that they cannot show. */
export function RequestSection({ request, onTest }: { request: Request; onTest: () => void }) {
  const { steps, tests } = request
  const [isScriptShown, setScriptShown] = useState(false)
  const isScriptOpen = isScriptShown || steps.blocked !== null
  const variables = request.secrets.map((secret) => ({
    name: nameOfSecret(secret),
    scope: secret.scope,
    type: 'secret' as const,
  }))
  return (
    <Section
      title={steps.steps.length === 1 ? 'Request' : 'Requests'}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => setScriptShown(!isScriptOpen)}
          disabled={steps.blocked !== null}
        >
          {isScriptOpen ? 'Hide script' : 'Show script'}
        </Button>
      }
    >
      <Stack>
        {steps.blocked ? (
          <>
            <BlockedNotice blocked={steps.blocked} onDiscard={steps.discardText} />
            <ProblemAlert error={tests.error} />
            <Group>
              <Button variant="default" loading={tests.isTesting} onClick={onTest}>
                Test
              </Button>
            </Group>
            {tests.result && <DraftSteps result={tests.result} />}
          </>
        ) : (
          <StepSequence
            steps={steps}
            tests={tests}
            problems={request.problems}
            mayInclude={request.mayInclude}
            onTest={onTest}
          />
        )}
        {!steps.blocked && steps.steps.some((step) => secretsOf(step).length > 0) && (
          <SecretNotice steps={steps.steps} onTakeOut={request.takeOut} />
        )}
        <SecretList secrets={request.secrets} isChecked={request.isChecked} onChange={request.setSecrets} />
        <UnverifiedNotice hosts={request.unverifiedHosts} />
        {isScriptOpen && <ScriptPanel steps={steps} variables={variables} />}
      </Stack>
    </Section>
  )
}
