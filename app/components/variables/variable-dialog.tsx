'use client'

import { Button, Code, Group, Modal, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { z } from 'zod'
import { type Variable, VariableChange, VariableCreate } from '#server/schemas/variables.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { HostsField, parseHosts } from './allowed-hosts.ts'
import { HostsInput } from './hosts-input.tsx'
import { SYSTEM_VARIABLE_TEXTS, TYPE_TEXTS, type VariableOwner, variablePath } from './scope.ts'

/** Hosts count for a secret alone: for another type their field, and what is wrong with it, is not shown. */
const NewVariable = VariableCreate.extend({ allowedHosts: z.string() }).superRefine(({ type, allowedHosts }, ctx) => {
  const issue = type === 'secret' ? HostsField.safeParse(allowedHosts).error?.issues[0] : undefined
  if (issue) ctx.addIssue({ code: 'custom', path: ['allowedHosts'], message: issue.message })
})

type Dialog = { owner: VariableOwner; prefix: string; onClose: () => void }

export function NewVariableDialog({ owner, prefix, onClose }: Dialog) {
  const { form, submit, isPending, error } = useOperationForm({
    path: variablePath(owner, 'create'),
    schema: NewVariable,
    initialValues: { key: '', value: '', type: 'variable' as 'variable' | 'secret' | 'metric', allowedHosts: '' },
    toInput: ({ allowedHosts, ...values }) => ({
      id: owner.id,
      ...values,
      ...(values.type === 'secret' && { allowedHosts: parseHosts(allowedHosts) }),
    }),
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists' && problem.code !== 'reserved_key') return false
      form.setFieldError('key', problem.message)
      return true
    },
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title="New variable" centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <TextInput
            label="Key"
            description={
              <>
                Scripts read it as{' '}
                <Code>
                  {prefix}
                  {form.values.key || 'key'}
                </Code>
              </>
            }
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('key')}
          />
          <Radio.Group label="Type" {...form.getInputProps('type')}>
            <Stack gap={6} mt={6}>
              {Object.entries(TYPE_TEXTS).map(([type, words]) => (
                <Radio key={type} value={type} label={words.label} description={words.description} />
              ))}
            </Stack>
          </Radio.Group>
          <ValueInput {...form.getInputProps('value')} />
          {form.values.type === 'secret' && <HostsInput {...form.getInputProps('allowedHosts')} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Create variable
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

export function ChangeVariableDialog({ owner, variable, onClose }: Omit<Dialog, 'prefix'> & { variable: Variable }) {
  const { form, submit, isPending, error } = useOperationForm({
    path: variablePath(owner, 'update'),
    schema: VariableChange,
    initialValues: { value: variable.masked ? '' : variable.value },
    toInput: (values) => ({ id: owner.id, varId: variable.id, ...values }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={`Change ${variable.key}`} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          {variable.masked && (
            <Text size="sm" c="dimmed">
              The value stored now is not shown. What you write here replaces it.
            </Text>
          )}
          <ValueInput
            data-autofocus
            description={variable.systemType === null ? undefined : SYSTEM_VARIABLE_TEXTS[variable.key]}
            {...form.getInputProps('value')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Save value
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function ValueInput(props: Record<string, unknown>) {
  return (
    <Textarea
      label="Value"
      autosize
      minRows={1}
      maxRows={10}
      maxLength={4096}
      autoComplete="off"
      spellCheck={false}
      {...props}
    />
  )
}
