import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { Body } from '#server/language/builder/steps.ts'
import { FieldError, PairRows } from './pair-rows.tsx'

const KINDS: { value: Body['kind']; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
  { value: 'text', label: 'Text' },
]

const STARTS: Record<Body['kind'], Body> = {
  none: { kind: 'none' },
  json: { kind: 'json', text: '' },
  form: { kind: 'form', fields: [{ name: '', value: '' }] },
  text: { kind: 'text', text: '', type: 'text/plain' },
}

/** The body of a request. */
export function BodyFields(props: { body: Body; error: string | null; onChange: (body: Body) => void }) {
  const { body, error, onChange } = props
  return (
    <Stack gap="xs">
      <Select
        label="Kind of body"
        data={KINDS}
        value={body.kind}
        allowDeselect={false}
        maw={200}
        onChange={(kind) => kind && kind !== body.kind && onChange(next(body, kind as Body['kind']))}
      />
      {(body.kind === 'json' || body.kind === 'text') && (
        <Textarea
          label="Request body"
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={body.text}
          error={error}
          onChange={(event) => onChange({ ...body, text: event.currentTarget.value })}
        />
      )}
      {body.kind === 'text' && (
        <TextInput
          label="Content type"
          autoComplete="off"
          maw={320}
          value={body.type}
          onChange={(event) => onChange({ ...body, type: event.currentTarget.value })}
        />
      )}
      {body.kind === 'form' && (
        <PairRows what="field" rows={body.fields} error={error} onChange={(fields) => onChange({ ...body, fields })} />
      )}
      {body.kind === 'none' && <FieldError error={error} />}
    </Stack>
  )
}

/** A text stays when JSON becomes text, and text JSON. */
function next(body: Body, kind: Body['kind']): Body {
  const start = STARTS[kind]
  const text = body.kind === 'json' || body.kind === 'text' ? body.text : ''
  return start.kind === 'json' || start.kind === 'text' ? { ...start, text } : start
}
