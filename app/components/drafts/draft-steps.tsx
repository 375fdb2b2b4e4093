import { Stack, Text } from '@mantine/core'
import type { DraftResult } from '#server/schemas/new-service/drafts.ts'
import { BodyContent } from '../run-steps/body-content.tsx'
import { StepList } from '../run-steps/step-list.tsx'

/** The steps of a draft run. Their bodies come with the run: none is stored. */
export function DraftSteps({ result }: { result: DraftResult }) {
  const bodyOf = (stepId: string) => result.bodies.find((body) => body.stepId === stepId)
  return <StepList run={result} bodyOf={({ id }) => <DraftBody body={bodyOf(id)} />} />
}

function DraftBody({ body }: { body: DraftResult['bodies'][number] | undefined }) {
  if (!body) return <Text size="sm">The response has no body.</Text>
  return (
    <Stack gap="xs">
      {body.isCut && (
        <Text size="xs" c="dimmed">
          Only the start of the body is shown.
        </Text>
      )}
      <BodyContent body={body} />
    </Stack>
  )
}
