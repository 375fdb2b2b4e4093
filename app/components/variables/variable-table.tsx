'use client'

import { ActionIcon, Badge, Code, Group, ScrollArea, Table, Text, Tooltip } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import type { Variable } from '#server/schemas/variables.ts'
import { Instant } from '../instant.tsx'
import { RevealButton } from './reveal-button.tsx'
import { SYSTEM_WORDS, TYPE_WORDS, type VariableOwner } from './scope.ts'

export function VariableTable(props: {
  owner: VariableOwner
  prefix: string
  variables: Variable[]
  editable: boolean
  onChange: (variable: Variable) => void
  onRemove: (variable: Variable) => void
}) {
  if (props.variables.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    )
  }
  return (
    <ScrollArea type="auto">
      <Table verticalSpacing="xs" miw={620}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name in scripts</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th>Changed</Table.Th>
            <Table.Th w={90} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {props.variables.map((variable) => (
            <Table.Tr key={variable.id}>
              <Table.Td>
                <Code style={{ overflowWrap: 'anywhere' }}>
                  {props.prefix}
                  {variable.key}
                </Code>
                {variable.systemType !== null && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {SYSTEM_WORDS[variable.key]}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Badge variant="default" size="sm">
                  {TYPE_WORDS[variable.type]?.label ?? variable.type}
                </Badge>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Group gap={4} wrap="nowrap">
                  <Text size="sm">{variable.value}</Text>
                  {props.editable && variable.type === 'variable' && (
                    <RevealButton owner={props.owner} variable={variable} />
                  )}
                </Group>
              </Table.Td>
              <Table.Td c="dimmed">
                <Instant at={variable.updatedAt} />
              </Table.Td>
              <Table.Td>
                {props.editable && (
                  <Group gap={2} wrap="nowrap" justify="flex-end">
                    <Tooltip label="Change">
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Change ${variable.key}`}
                        onClick={() => props.onChange(variable)}
                      >
                        <Pencil size={15} aria-hidden />
                      </ActionIcon>
                    </Tooltip>
                    {variable.systemType === null && (
                      <Tooltip label="Delete">
                        <ActionIcon
                          variant="subtle"
                          color="red"
                          aria-label={`Delete ${variable.key}`}
                          onClick={() => props.onRemove(variable)}
                        >
                          <Trash2 size={15} aria-hidden />
                        </ActionIcon>
                      </Tooltip>
                    )}
                  </Group>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}
