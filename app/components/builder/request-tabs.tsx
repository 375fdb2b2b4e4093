import { Checkbox, NumberInput, Stack, Tabs } from '@mantine/core'
import { useState } from 'react'
import type { StepField } from '#server/language/builder/problems.ts'
import type { Step } from '#server/language/builder/steps.ts'
import { AuthFields } from './auth-fields.tsx'
import { BodyFields } from './body-fields.tsx'
import { HEADER_NAMES, headerValues } from './header-suggestions.ts'
import { PairRows } from './pair-rows.tsx'

/** The parts of a request that many do not need, each behind a tab that says what it holds. */
export function RequestTabs(props: {
  step: Step
  problemOf: (field: StepField) => string | null
  onChange: (step: Step) => void
}) {
  const { step, problemOf, onChange } = props
  const [open, setOpen] = useState<string | null>(null)
  const faulty = (['auth', 'headers', 'body', 'timeoutMs'] as const).find((field) => problemOf(field) !== null)
  return (
    <Tabs value={open ?? faulty ?? null} onChange={setOpen} allowTabDeactivation keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="auth">{authText(step)}</Tabs.Tab>
        <Tabs.Tab value="headers">{step.headers.length > 0 ? `Headers (${step.headers.length})` : 'Headers'}</Tabs.Tab>
        <Tabs.Tab value="body">{BODY_TEXTS[step.body.kind]}</Tabs.Tab>
        <Tabs.Tab value="timeoutMs">Options</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="auth">
        <AuthFields auth={step.auth} error={problemOf('auth')} onChange={(auth) => onChange({ ...step, auth })} />
      </Tabs.Panel>
      <Tabs.Panel value="headers">
        <PairRows
          what="header"
          rows={step.headers}
          names={HEADER_NAMES}
          valuesOf={headerValues}
          error={problemOf('headers')}
          onChange={(headers) => onChange({ ...step, headers })}
        />
      </Tabs.Panel>
      <Tabs.Panel value="body">
        <BodyFields body={step.body} error={problemOf('body')} onChange={(body) => onChange({ ...step, body })} />
      </Tabs.Panel>
      <Tabs.Panel value="timeoutMs">
        <Stack gap="xs">
          <NumberInput
            label="Time limit in milliseconds"
            description="Empty for the limit of the installation."
            maw={320}
            min={1}
            max={60_000}
            allowDecimal={false}
            clampBehavior="none"
            value={step.timeoutMs ?? ''}
            error={problemOf('timeoutMs')}
            onChange={(ms) => onChange({ ...step, timeoutMs: typeof ms === 'number' ? ms : null })}
          />
          <Checkbox
            label="Follow redirects"
            checked={step.followsRedirects}
            onChange={(event) => onChange({ ...step, followsRedirects: event.currentTarget.checked })}
          />
          <Checkbox
            label="Accept invalid certificates"
            checked={step.acceptsInvalidCertificates}
            onChange={(event) => onChange({ ...step, acceptsInvalidCertificates: event.currentTarget.checked })}
          />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  )
}

const BODY_TEXTS: Record<Step['body']['kind'], string> = {
  none: 'Body',
  json: 'Body: JSON',
  form: 'Body: form',
  text: 'Body: text',
}

function authText({ auth }: Step): string {
  switch (auth.kind) {
    case 'none':
      return 'Authentication'
    case 'bearer':
      return 'Authentication: token'
    case 'basic':
      return 'Authentication: Basic'
    case 'apiKey':
      return 'Authentication: API key'
  }
}
