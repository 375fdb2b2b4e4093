'use client'

import { ActionIcon, Badge, Code, Group, Text } from '@mantine/core'
import type { Variable } from '#server/schemas/variables.ts'
import { Globe, type IconComponent, Pencil, Trash2, Workflow } from '../icons.ts'
import { Instant } from '../instant.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { ScrollTable } from '../lists/scroll-table.tsx'
import { Table } from '../lists/table.tsx'
import { RevealButton } from './reveal-button.tsx'
import { SYSTEM_VARIABLE_TEXTS, TYPE_TEXTS, type VariableOwner } from './scope.ts'

export function VariableTable(props: {
  owner: VariableOwner
  prefix: string
  variables: Variable[]
  editable: boolean
  readable: boolean
  onChange: (variable: Variable) => void
  onHosts: (variable: Variable) => void
  onUsage: (variable: Variable) => void
  onRemove: (variable: Variable) => void
}) {
  if (props.variables.length === 0) {
    return (
      <NoEntries>
        No variables.{props.editable && ` Create one with “New variable”, and write ${props.prefix}NAME in a script.`}
      </NoEntries>
    )
  }
  return (
    <ScrollTable verticalSpacing="xs" miw={620} columns={['Name in scripts', 'Type', 'Value', 'Changed', { w: 150 }]}>
      {props.variables.map((variable) => (
        <Table.Tr key={variable.id}>
          <Table.Td>
            <Code style={{ overflowWrap: 'anywhere' }}>
              {props.prefix}
              {variable.key}
            </Code>
            {variable.systemType !== null && (
              <Text size="xs" c="dimmed" mt={4}>
                {SYSTEM_VARIABLE_TEXTS[variable.key]}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <Badge variant="default" size="sm">
              {TYPE_TEXTS[variable.type]?.label ?? variable.type}
            </Badge>
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            <Group gap={4} wrap="nowrap">
              <Text size="sm">{variable.value}</Text>
              {props.editable && variable.type === 'variable' && (
                <RevealButton owner={props.owner} variable={variable} />
              )}
            </Group>
            {variable.type === 'secret' && (
              <Text size="xs" c="dimmed">
                {hostsText(variable.allowedHosts)}
              </Text>
            )}
          </Table.Td>
          <Table.Td c="dimmed">
            <Instant at={variable.updatedAt} />
          </Table.Td>
          <Table.Td>
            <Group gap={2} wrap="nowrap" justify="flex-end">
              {props.readable && (
                <RowAction label="Services that use" of={variable} icon={Workflow} onClick={props.onUsage} />
              )}
              {props.editable && variable.type === 'secret' && (
                <RowAction label="Allowed hosts of" of={variable} icon={Globe} onClick={props.onHosts} />
              )}
              {props.editable && <RowAction label="Change" of={variable} icon={Pencil} onClick={props.onChange} />}
              {props.editable && variable.systemType === null && (
                <RowAction label="Delete" of={variable} icon={Trash2} color="red" onClick={props.onRemove} />
              )}
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}

function RowAction(props: {
  label: string
  of: Variable
  icon: IconComponent
  color?: string
  onClick: (variable: Variable) => void
}) {
  const Icon = props.icon
  return (
    <ActionIcon
      variant="subtle"
      color={props.color ?? 'gray'}
      title={props.label}
      aria-label={`${props.label} ${props.of.key}`}
      onClick={() => props.onClick(props.of)}
    >
      <Icon size={15} aria-hidden />
    </ActionIcon>
  )
}

/** Returns a sentence about the hosts that a secret may be sent to. */
function hostsText(hosts: readonly string[]): string {
  return hosts.length === 0 ? 'May be sent to any host' : `May be sent to ${hosts.join(', ')} only`
}
