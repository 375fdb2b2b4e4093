import { Tabs } from '@mantine/core'
import { useState } from 'react'
import type { StepField } from '#server/language/builder/problems.ts'
import type { Step } from '#server/language/builder/steps.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { HEADER_NAMES, headerValues } from './header-suggestions.ts'

// Loaded on demand: most requests need none of them.
const AuthFields = lazyDialog(() => import('./auth-fields.tsx').then((module) => module.AuthFields))
const BodyFields = lazyDialog(() => import('./body-fields.tsx').then((module) => module.BodyFields))
const PairRows = lazyDialog(() => import('./pair-rows.tsx').then((module) => module.PairRows))
const RequestOptions = lazyDialog(() => import('./request-options.tsx').then((module) => module.RequestOptions))

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
        <RequestOptions step={step} error={problemOf('timeoutMs')} onChange={onChange} />
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
