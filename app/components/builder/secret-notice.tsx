import { Alert, Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { secretsOf } from '#server/language/builder/secrets.ts'
import type { Step } from '#server/language/builder/steps.ts'
import { Lock } from '../icons.ts'

export type SecretScope = 'service' | 'project'

/** Offers to take what is secret out of the script. */
export function SecretNotice(props: { steps: Step[]; isPending?: boolean; onTakeOut: (scope: SecretScope) => void }) {
  const [scope, setScope] = useState<SecretScope>('service')
  const found = props.steps.flatMap(secretsOf)
  if (found.length === 0) return null
  const names = [...new Set(found.map(({ what }) => what))]
  const isOne = names.length === 1
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<Lock size={18} aria-hidden />}
      title={isOne ? 'A secret is in the script' : 'Secrets are in the script'}
    >
      <Text size="sm">
        Members who can read the service can read {new Intl.ListFormat('en').format(names)}. Nobody can read a secret
        variable, and its value is removed from results.
      </Text>
      <Group gap="xs" mt="xs" align="flex-end">
        <Button loading={props.isPending ?? false} onClick={() => props.onTakeOut(scope)}>
          {isOne ? 'Make it a secret variable' : 'Make them secret variables'}
        </Button>
        <Select
          aria-label={isOne ? 'Where the variable is' : 'Where the variables are'}
          data={[
            { value: 'service', label: 'of this service' },
            { value: 'project', label: 'of the project' },
          ]}
          value={scope}
          allowDeselect={false}
          w={160}
          onChange={(next) => next && setScope(next as SecretScope)}
        />
      </Group>
    </Alert>
  )
}
