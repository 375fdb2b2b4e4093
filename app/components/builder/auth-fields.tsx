import { PasswordInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { basicCredentials, readBasicCredentials } from '#server/language/builder/parts.ts'
import { type Auth, variablesOf } from '#server/language/builder/steps.ts'
import { FieldError } from './pair-rows.tsx'

const KINDS: { value: Auth['kind']; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'basic', label: 'User and password (Basic)' },
  { value: 'apiKey', label: 'API key' },
]

const STARTS: Record<Auth['kind'], Auth> = {
  none: { kind: 'none' },
  bearer: { kind: 'bearer', token: '' },
  basic: { kind: 'basic', credentials: '' },
  apiKey: { kind: 'apiKey', place: 'header', name: 'X-Api-Key', value: '' },
}

/** How a request authenticates itself. A value that names a variable is shown, others are hidden. */
export function AuthFields(props: { auth: Auth; error: string | null; onChange: (auth: Auth) => void }) {
  const { auth, onChange } = props
  return (
    <Stack gap="xs">
      <Select
        label="Authentication"
        data={KINDS}
        value={auth.kind}
        allowDeselect={false}
        maw={320}
        onChange={(kind) => kind && kind !== auth.kind && onChange(STARTS[kind as Auth['kind']])}
      />
      {auth.kind === 'bearer' && (
        <SecretField label="Token" value={auth.token} onChange={(token) => onChange({ ...auth, token })} />
      )}
      {auth.kind === 'basic' && (
        <BasicFields credentials={auth.credentials} onChange={(credentials) => onChange({ ...auth, credentials })} />
      )}
      {auth.kind === 'apiKey' && (
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs">
          <Select
            label="Sent as"
            data={[
              { value: 'header', label: 'Header' },
              { value: 'query', label: 'Query parameter' },
            ]}
            value={auth.place}
            allowDeselect={false}
            onChange={(place) => place && onChange({ ...auth, place: place as 'header' | 'query' })}
          />
          <TextInput
            label="Name"
            autoComplete="off"
            value={auth.name}
            onChange={(event) => onChange({ ...auth, name: event.currentTarget.value })}
          />
          <SecretField label="Key" value={auth.value} onChange={(value) => onChange({ ...auth, value })} />
        </SimpleGrid>
      )}
      <FieldError error={props.error} />
    </Stack>
  )
}

function BasicFields(props: { credentials: string; onChange: (credentials: string) => void }) {
  const isVariable = variablesOf(props.credentials).length > 0
  // A password with a colon in front belongs to the user: the fields keep what is typed.
  const [typed, setTyped] = useState(() => readBasicCredentials(props.credentials) ?? { user: '', password: '' })
  if (isVariable) {
    return <SecretField label="User and password" value={props.credentials} onChange={props.onChange} />
  }
  const shown =
    basicCredentials(typed.user, typed.password) === props.credentials ? typed : readBasicCredentials(props.credentials)
  const { user, password } = shown ?? typed
  const change = (next: { user: string; password: string }) => {
    setTyped(next)
    props.onChange(basicCredentials(next.user, next.password))
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
      <TextInput
        label="User"
        autoComplete="off"
        value={user}
        onChange={(event) => change({ user: event.currentTarget.value, password })}
      />
      <PasswordInput
        label="Password"
        autoComplete="off"
        value={password}
        onChange={(event) => change({ user, password: event.currentTarget.value })}
      />
    </SimpleGrid>
  )
}

/** A hidden value, or the variable that holds it. */
function SecretField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const [variable] = variablesOf(props.value)
  if (variable !== undefined) {
    return (
      <TextInput
        label={props.label}
        description={`The variable ${variable} holds it.`}
        inputWrapperOrder={['label', 'input', 'description']}
        autoComplete="off"
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <PasswordInput
      label={props.label}
      autoComplete="off"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}
