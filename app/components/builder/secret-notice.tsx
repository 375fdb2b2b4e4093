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
  const names = new Intl.ListFormat('en').format([...new Set(found.map(({ what }) => what))])
  return (
    <Alert color="orange" variant="light" icon={<Lock size={18} aria-hidden />} title="A secret is in the script">
      <Text size="sm">
        Members who can read the service can read {names}. As a secret variable, nobody can read it, and it is removed
        from results.
      </Text>
      <Group gap="xs" mt="xs" align="flex-end">
        <Button loading={props.isPending ?? false} onClick={() => props.onTakeOut(scope)}>
          Make it a secret variable
        </Button>
        <Select
          aria-label="Where the variable is"
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
