'use client'

import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { WEBHOOK_METHODS } from '#server/schemas/organization/webhooks.ts'
import { LabelInput } from '../../components/forms/label-input.tsx'
import { NameInput } from '../../components/forms/name-input.tsx'
import type { WebhookValues } from './webhook-values.ts'

const MONO = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export function WebhookFields({ form }: { form: UseFormReturnType<WebhookValues> }) {
  return (
    <Stack>
      <NameInput data-autofocus {...form.getInputProps('name')} />
      <LabelInput {...form.getInputProps('label')} />
      <TextInput
        label="URL"
        description="Private and internal addresses are blocked, as for services."
        placeholder="https://chat.example.com/hooks/…"
        autoComplete="off"
        spellCheck={false}
        required
        {...form.getInputProps('url')}
      />
      <Select label="Method" data={[...WEBHOOK_METHODS]} allowDeselect={false} {...form.getInputProps('method')} />
      <Textarea
        label="Headers"
        description="One per line, as Name: value."
        placeholder="X-Team: ops"
        autosize
        minRows={2}
        spellCheck={false}
        styles={MONO}
        {...form.getInputProps('headers')}
      />
      <Textarea
        label="Body"
        description='A template, such as {"text": "{{summary}}"}. If it is empty, the whole message is sent.'
        autosize
        minRows={3}
        spellCheck={false}
        styles={MONO}
        {...form.getInputProps('body')}
      />
    </Stack>
  )
}
