import { Code, PasswordInput, Stack, Text } from '@mantine/core'
import type { NewSecret } from '#server/schemas/new-service/secrets.ts'

/** `asks`: why the member enters the value, because no text of the page has it. */
export type PendingSecret = NewSecret & { asks?: 'lost' | 'named' }

const REASONS = {
  lost: 'A reload does not keep secrets. Enter the value again.',
  named: 'A request names this variable. Its value is kept as a secret of the service.',
}

export function nameOfSecret({ scope, key }: Pick<NewSecret, 'scope' | 'key'>): string {
  return `$${scope === 'service' ? 's' : 'p'}.${key}`
}

/** The secrets that are created with the service. Their values are kept in this page alone, so a reload loses them. */
export function SecretList({
  secrets,
  isChecked,
  onChange,
}: {
  secrets: PendingSecret[]
  /** Whether the member sees which values are missing. */
  isChecked: boolean
  onChange: (secrets: PendingSecret[]) => void
}) {
  if (secrets.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label="Secret variables">
      {secrets.map((secret, at) => {
        const name = nameOfSecret(secret)
        return secret.asks ? (
          <PasswordInput
            key={name}
            label={`Value of ${name}`}
            description={REASONS[secret.asks]}
            autoComplete="new-password"
            required
            value={secret.value}
            error={isChecked && secret.value === '' && 'Enter the value'}
            onChange={(event) => onChange(secrets.with(at, { ...secret, value: event.currentTarget.value }))}
          />
        ) : (
          <Text key={name} size="sm">
            <Code>{name}</Code> becomes a secret variable of the {secret.scope}.
          </Text>
        )
      })}
    </Stack>
  )
}
