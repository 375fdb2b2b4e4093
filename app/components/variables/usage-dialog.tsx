'use client'

import { Anchor, List, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Variable } from '#server/schemas/variables.ts'
import { query } from '../../client/api.ts'
import { Link } from '../layout/link.tsx'
import { Loaded } from '../lists/loaded.tsx'
import type { VariableOwner } from './scope.ts'

/** The services whose scripts use a variable, limited to those that the member may see. */
export function UsageDialog(props: { owner: VariableOwner; variable: Variable; prefix: string; onClose: () => void }) {
  const { owner, variable, prefix, onClose } = props
  const usage = useQuery(query('variables.usage', { scope: owner.scope, resourceId: owner.id, id: variable.id }))
  return (
    <Modal opened onClose={onClose} title={`Services that use ${prefix}${variable.key}`} centered>
      <Loaded query={usage}>
        {({ services, isTruncated }) => (
          <Stack gap="sm">
            {services.length === 0 && (
              <Text size="sm" c="dimmed">
                No service that you can see uses it.
              </Text>
            )}
            <List size="sm" spacing={6}>
              {services.map((service) => (
                <List.Item key={service.id}>
                  <Anchor component={Link} href={`/services/${service.id}/script`} inherit underline="always">
                    {service.name}
                  </Anchor>{' '}
                  <Text span size="sm" c="dimmed">
                    {service.workspaceName} / {service.projectName}
                    {!service.isActive && ', off'}
                  </Text>
                </List.Item>
              ))}
            </List>
            {isTruncated && (
              <Text size="sm" c="dimmed">
                Only the first {services.length} services are shown.
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}
