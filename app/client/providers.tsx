'use client'

import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { NotificationArea } from './notification-area.tsx'
import { NowProvider } from './now.tsx'
import { newQueryClient } from './query-client.ts'
import { theme, variables } from './theme.ts'

const Nonce = createContext<string | undefined>(undefined)

/** Returns the page's CSP nonce, for components that add style elements. */
export function useNonce(): string | undefined {
  return useContext(Nonce)
}

export function Providers(props: {
  nonce: string | undefined
  /** The server's time, in milliseconds since the epoch. */
  renderedAt: number
  children: ReactNode
}) {
  const { nonce, renderedAt, children } = props
  const [queryClient] = useState(newQueryClient)
  // The scroll lock of dialogs adds a style element and reads its nonce from this global.
  if (typeof window !== 'undefined') (window as { __webpack_nonce__?: string }).__webpack_nonce__ ??= nonce
  return (
    <Nonce value={nonce}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce ?? ''}
      >
        <QueryClientProvider client={queryClient}>
          <NotificationArea />
          <NowProvider renderedAt={renderedAt}>{children}</NowProvider>
        </QueryClientProvider>
      </MantineProvider>
    </Nonce>
  )
}
