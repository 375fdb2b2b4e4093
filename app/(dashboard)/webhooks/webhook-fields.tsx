'use client'

import { Anchor, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { PRESETS, WEBHOOK_PRESETS } from '#server/schemas/organization/webhook-presets.ts'
import { WEBHOOK_METHODS } from '#server/schemas/organization/webhooks.ts'
import { NameInput } from '../../components/forms/name-input.tsx'
import { Link } from '../../components/layout/link.tsx'
import { PresetFields } from './preset-fields.tsx'
import type { StoredWebhook, WebhookValues } from './webhook-values.ts'

const MONO = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }
const SERVICES = WEBHOOK_PRESETS.map((value) => ({ value, label: PRESETS[value].label }))

type Props = {
  form: UseFormReturnType<WebhookValues>
  /** For a webhook that exists: its service does not change. */
  stored?: StoredWebhook
}

export function WebhookFields({ form, stored }: Props) {
  const { preset } = form.getValues()
  return (
    <Stack>
      <Select
        label="Service"
        description={stored ? 'To use another service, create another webhook.' : 'What receives the messages.'}
        data={SERVICES}
        allowDeselect={false}
        readOnly={stored !== undefined}
        {...form.getInputProps('preset')}
      />
      <NameInput data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Label"
        description="A short word shown next to the name."
        autoComplete="off"
        {...form.getInputProps('label')}
      />
      <PresetFields form={form} preset={preset} stored={stored} />
      {preset === 'json' && (
        <>
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
            description={
              <>
                A template, such as {'{"text": "{{summary}}"}'}. If it is empty, the whole message is sent.{' '}
                <Anchor component={Link} href="/docs/guide/webhooks" inherit underline="always">
                  The guide
                </Anchor>{' '}
                lists all fields.
              </>
            }
            autosize
            minRows={3}
            spellCheck={false}
            styles={MONO}
            {...form.getInputProps('body')}
          />
        </>
      )}
    </Stack>
  )
}
