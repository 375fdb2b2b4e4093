import { Code, PasswordInput, Stack, Text } from '@mantine/core'
import type { NewSecret } from '#server/schemas/new-service/secrets.ts'

/** `isLost`: a reload has lost the value, and the member enters it again. */
export type PendingSecret = NewSecret & { isLost?: true }

export function nameOfSecret({ scope, key }: Pick<NewSecret, 'scope' | 'key'>): string {
  return `$${scope === 'service' ? 's' : 'p'}.${key}`
}

/** The secrets that are created with the service. Their values are kept in this page alone, so a reload loses them. */
export function SecretList({
  secrets,
  onChange,
}: {
  secrets: PendingSecret[]
  onChange: (secrets: PendingSecret[]) => void
}) {
  if (secrets.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label="Secret variables">
      {secrets.map((secret, at) => {
        const name = nameOfSecret(secret)
        return secret.isLost ? (
          <PasswordInput
            key={name}
            label={`Value of ${name}`}
            description="A reload does not keep secrets. Enter the value again."
            autoComplete="new-password"
            required
            value={secret.value}
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
