'use client'

import { Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { ResourceType } from '#server/schemas/scopes.ts'
import type { VariableScope } from '#server/schemas/variables.ts'
import { query } from '../../client/api.ts'
import { Loaded } from '../lists/loaded.tsx'
import { Table } from '../lists/table.tsx'
import { AlertSettingsList } from './alert-settings-list.tsx'
import { ScopeSection } from './scope-section.tsx'

const SCOPE_LABELS: Record<string, string> = {
  organization: 'Organization',
  workspace: 'Workspace',
  project: 'Project',
  service: 'Service',
}

/** The variables that scripts in a resource can read: its own first, then those of each scope above it. */
export function ResourceVariables({ scope, id }: { scope: ResourceType; id: string }) {
  const hierarchy = useQuery(query(`variables.${scope}.hierarchy`, { id }))
  return (
    <Loaded query={hierarchy}>
      {({ scopes }) => (
        <Stack gap="lg">
          {scopes.map((entry) => (
            <Fragment key={entry.resourceId}>
              <ScopeSection
                title={`${SCOPE_LABELS[entry.scope] ?? entry.scope}: ${entry.resourceName}`}
                owner={{ scope: entry.scope as ResourceType | 'organization', id: entry.resourceId }}
                prefix={entry.prefix}
                // Variables of a scope above are edited on its own page.
                editable={entry.editable && entry.resourceId === id}
                mayReveal={entry.editable}
                readable={entry.editable || entry.resourceId === id}
                variables={entry.variables.filter(({ systemType }) => systemType === null)}
              >
                <Computed entry={entry} />
              </ScopeSection>
              {entry.scope === 'service' && <AlertSettingsList entry={entry} />}
            </Fragment>
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

function Computed({ entry }: { entry: VariableScope }) {
  if (entry.locked.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Computed
      </Text>
      <Table verticalSpacing={4} fz="sm">
        <Table.Tbody>
          {entry.locked.map((variable) => (
            <Table.Tr key={variable.key}>
              <Table.Td w="35%">
                <Code>
                  {entry.prefix}
                  {variable.key.replace(/^\$[a-z]\./, '')}
                </Code>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{variable.value ?? '–'}</Table.Td>
              <Table.Td c="dimmed" visibleFrom="sm">
                {variable.description}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
