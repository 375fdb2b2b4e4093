import { Checkbox, NumberInput, Stack } from '@mantine/core'
import type { Step } from '#server/language/builder/steps.ts'

/** What few requests change. */
export function RequestOptions(props: { step: Step; error: string | null; onChange: (step: Step) => void }) {
  const { step, error, onChange } = props
  return (
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
        error={error}
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
  )
}
