'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'

const ApiKey = createContext<{ key: string; setKey: (key: string) => void }>({ key: '', setKey: () => {} })

/** Keeps the key that a reader has pasted while they go from operation to operation. It is never stored. */
export function ApiKeyProvider({ children }: { children: ReactNode }) {
  const [key, setKey] = useState('')
  return <ApiKey value={{ key, setKey }}>{children}</ApiKey>
}

export function useApiKey() {
  return useContext(ApiKey)
}
