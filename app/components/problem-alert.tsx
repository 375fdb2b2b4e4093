'use client'

import { Alert, Button, Stack, Text } from '@mantine/core'
import { isLimitOfDomains, problemOf } from '../client/problem.ts'
import { DomainsLink } from './domains-link.tsx'
import { CircleAlert } from './icons.ts'

/** Nothing changes when these are tried again. */
const LASTING = ['insufficient_permissions', 'not_found']

/** Shows an error, with a button to try again if `onRetry` is given and may help. Nothing if there is no error. */
export function ProblemAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (!error) return null
  const problem = problemOf(error)
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} aria-hidden />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" data-code={problem.code}>
          {problem.message}
          {isLimitOfDomains(problem) && <DomainsLink />}
        </Text>
        {onRetry && !LASTING.includes(problem.code) && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
