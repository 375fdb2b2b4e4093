'use client'

import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

/** The browser forgets it with the tab. */
const STORED = 'soundline-docs-key'

type Given = {
  /** The reader's key; empty without one. */
  key: string
  /** The curl commands have the key, and not a variable of the shell. */
  isShown: boolean
  setKey: (key: string) => void
  setShown: (isShown: boolean) => void
}

const ApiKey = createContext<Given>({ key: '', isShown: false, setKey: () => {}, setShown: () => {} })

/** Keeps the key that a reader has pasted, for all operations in this tab. It is sent only with the calls of the reader. */
export function ApiKeyProvider({ children }: { children: ReactNode }) {
  const [key, setKey] = useState('')
  const [isShown, setShown] = useState(false)
  useEffect(() => setKey(window.sessionStorage.getItem(STORED) ?? ''), [])
  const store = (given: string) => {
    const next = given.trim()
    setKey(next)
    if (next) window.sessionStorage.setItem(STORED, next)
    else window.sessionStorage.removeItem(STORED)
    if (!next) setShown(false)
  }
  return <ApiKey value={{ key, isShown, setKey: store, setShown }}>{children}</ApiKey>
}

export function useApiKey(): Given {
  return useContext(ApiKey)
}

/** The field for the key. */
export function ApiKeyInput(props: { autoFocus?: boolean; required?: boolean }) {
  const { key, setKey } = useApiKey()
  return (
    <TextInput
      label="API key"
      description="For every operation here. It stays in this tab, and is sent only with your calls."
      type="password"
      autoComplete="off"
      value={key}
      onChange={(event) => setKey(event.currentTarget.value)}
      {...props}
    />
  )
}

/** Gives the key once for all operations, and forgets it. */
export function ApiKeyForm() {
  const { key, isShown, setKey, setShown } = useApiKey()
  return (
    <Stack gap="xs" component="section" aria-label="API key for all operations">
      <ApiKeyInput />
      {key && (
        <Group justify="space-between" gap="xs">
          <Checkbox
            label="Show it in curl"
            checked={isShown}
            onChange={(event) => setShown(event.currentTarget.checked)}
          />
          <Button size="compact-sm" variant="default" onClick={() => setKey('')}>
            Forget
          </Button>
        </Group>
      )}
    </Stack>
  )
}
