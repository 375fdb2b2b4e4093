'use client'

import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { ApiKeyInput, useApiKey } from './api-key.tsx'
import { authorizationWith, curlText, quoted } from './curl.ts'
import { addressOf, type Outcome, type RequestParameter, type RequestShape, send } from './request.ts'

type State = 'editing' | 'sending' | 'failed' | { outcome: Outcome; curl: string }

/** Sends the request of an operation with the reader's key, and shows the response and the same call for curl. */
export function TryOutForm({ shape }: { shape: RequestShape }) {
  const { key, isShown } = useApiKey()
  const [asksForKey] = useState(key === '')
  const [values, setValues] = useState<Record<string, string>>({})
  const [text, setText] = useState(shape.body ?? '')
  const [state, setState] = useState<State>('editing')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState('sending')
    const address = addressOf(shape, values)
    const body = shape.body === null ? null : text
    try {
      const outcome = await send({ method: shape.method, address, key, body })
      const authorization = authorizationWith(isShown ? key : '')
      setState({ outcome, curl: curlOf({ method: shape.method, address, authorization, body }) })
    } catch {
      setState('failed')
    }
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {asksForKey && <ApiKeyInput autoFocus required />}
        {shape.parameters.map((parameter) => (
          <ParameterInput
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ''}
            onChange={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        {shape.body !== null && (
          <Textarea
            label="Body"
            autosize
            minRows={4}
            maxRows={24}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Group>
          <Button type="submit" loading={state === 'sending'}>
            Send
          </Button>
        </Group>
        <div role="status">
          {state === 'failed' && (
            <Alert color="red" variant="light">
              The server did not respond. Try again.
            </Alert>
          )}
          {typeof state === 'object' && <Response {...state} />}
        </div>
      </Stack>
    </form>
  )
}

function ParameterInput(props: { parameter: RequestParameter; value: string; onChange: (value: string) => void }) {
  const { parameter, value, onChange } = props
  const common = {
    label: parameter.name,
    description: `In the ${parameter.in}, ${parameter.type}`,
    required: parameter.isRequired,
    value,
  }
  return parameter.values.length > 0 ? (
    <NativeSelect
      {...common}
      data={['', ...parameter.values]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <TextInput {...common} autoComplete="off" onChange={(event) => onChange(event.currentTarget.value)} />
  )
}

function Response({ outcome, curl }: { outcome: Outcome; curl: string }) {
  return (
    <Stack gap="sm">
      <strong>
        {outcome.status} in {outcome.durationMs.toLocaleString('en')} ms
      </strong>
      {outcome.body && <Part label="Response body" text={outcome.body} />}
      <Part label="Response headers" text={outcome.headers} />
      <Part label="This call with curl" text={curl} />
    </Stack>
  )
}

function Part({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Text size="sm">{label}</Text>
      <CodeBlock label={label} text={text} wrap />
    </div>
  )
}

function curlOf({ address, ...request }: Omit<Parameters<typeof curlText>[0], 'url'> & { address: string }): string {
  return curlText({ ...request, url: quoted(`${window.location.origin}${address}`) })
}
