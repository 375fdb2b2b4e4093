'use client'

import { Code, Radio, Text, Textarea, TextInput } from '@mantine/core'
import { z } from 'zod'
import { type Variable, VariableChange, VariableCreate } from '#server/schemas/variables.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { RadioGroup } from '../forms/radio-group.tsx'
import { HostsField, parseHosts } from './allowed-hosts.ts'
import { HostsInput } from './hosts-input.tsx'
import { TYPE_TEXTS, type VariableOwner, variablePath } from './scope.ts'

/** Validates the hosts only for a secret: the form hides the field for other types. */
const NewVariable = VariableCreate.extend({ allowedHosts: z.string() }).superRefine(({ type, allowedHosts }, ctx) => {
  const issue = type === 'secret' ? HostsField.safeParse(allowedHosts).error?.issues[0] : undefined
  if (issue) ctx.addIssue({ code: 'custom', path: ['allowedHosts'], message: issue.message })
})

type Dialog = { owner: VariableOwner; prefix: string; onClose: () => void }

export function NewVariableDialog({ owner, prefix, onClose }: Dialog) {
  const { form, ...operation } = useOperationForm({
    path: variablePath(owner, 'create'),
    schema: NewVariable,
    initialValues: { key: '', value: '', type: 'variable' as 'variable' | 'secret' | 'metric', allowedHosts: '' },
    toInput: ({ allowedHosts, ...values }) => ({
      id: owner.id,
      ...values,
      ...(values.type === 'secret' && { allowedHosts: parseHosts(allowedHosts) }),
    }),
    errorFields: { already_exists: 'key', reserved_key: 'key' },
    onDone: onClose,
  })
  return (
    <FormDialog {...operation} title="New variable" submitLabel="Create variable" onClose={onClose}>
      <TextInput
        label="Key"
        description={
          <>
            Name in scripts:{' '}
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
      <RadioGroup label="Type" {...form.getInputProps('type')}>
        {Object.entries(TYPE_TEXTS).map(([type, texts]) => (
          <Radio key={type} value={type} label={texts.label} description={texts.description} />
        ))}
      </RadioGroup>
      <ValueInput {...form.getInputProps('value')} />
      {form.values.type === 'secret' && <HostsInput {...form.getInputProps('allowedHosts')} />}
    </FormDialog>
  )
}

type Change = Omit<Dialog, 'prefix'> & {
  variable: Variable
  /** The value of configuration, if the member may see it. */
  value: string | undefined
}

export function ChangeVariableDialog({ owner, variable, value, onClose }: Change) {
  const shown = value ?? (variable.masked ? undefined : variable.value)
  const { form, ...operation } = useOperationForm({
    path: variablePath(owner, 'update'),
    schema: VariableChange,
    initialValues: { value: shown ?? '' },
    toInput: (values) => ({ id: owner.id, varId: variable.id, ...values }),
    onDone: onClose,
  })
  return (
    <FormDialog {...operation} title={`Change ${variable.key}`} submitLabel="Save value" onClose={onClose}>
      {shown === undefined && (
        <Text size="sm" c="dimmed">
          The current value is not shown. The value that you enter replaces it.
        </Text>
      )}
      <ValueInput data-autofocus {...form.getInputProps('value')} />
    </FormDialog>
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
