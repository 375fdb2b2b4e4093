import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { NewServiceFields } from '#server/schemas/new-service/fields.ts'
import { PROBE_METHODS } from '#server/schemas/new-service/probe-script.ts'
import { Play } from '../../../components/icons.ts'

const METHODS = PROBE_METHODS.map((value) => ({ value, label: value.toUpperCase() }))
const WITH_BODY = ['post', 'put', 'patch']

/** The request that the service sends, and the button that sends it once. */
export function TargetFields(props: {
  form: UseFormReturnType<NewServiceFields>
  onTest: () => void
  isTesting: boolean
}) {
  const { form } = props
  const completeUrl = () => {
    const url = form.values.url.trim()
    if (url !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(url)) form.setFieldValue('url', `https://${url}`)
  }
  const urlProps = form.getInputProps('url')
  return (
    <>
      <Group align="flex-start" gap="sm">
        <Select
          label="Method"
          data={METHODS}
          w={110}
          allowDeselect={false}
          value={form.values.method}
          onChange={(value) => value && form.setFieldValue('method', value as NewServiceFields['method'])}
        />
        <TextInput
          label="URL"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/health"
          required
          flex={1}
          miw={220}
          data-autofocus
          {...urlProps}
          onBlur={(event) => {
            completeUrl()
            urlProps.onBlur?.(event)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            props.onTest()
          }}
        />
        <Button
          mt={25}
          variant="default"
          leftSection={<Play size={15} aria-hidden />}
          loading={props.isTesting}
          onClick={props.onTest}
        >
          Test
        </Button>
      </Group>
      {WITH_BODY.includes(form.values.method) && (
        <Textarea
          label="Request body"
          description="Sent as JSON if it is JSON, else as plain text."
          autosize
          minRows={3}
          maxRows={12}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('body')}
        />
      )}
    </>
  )
}
